/** The month of a period such as 2026-11, in words; of the current year without it would be as long, so it is there. */
export function monthName(period: string, language: string): string {
  const at = new Date(`${period}-01T00:00:00Z`);
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(at);
}
