/** The month of a period such as 2026-11, in words, always with its year. */
export function monthName(period: string, language: string): string {
  const at = new Date(`${period}-01T00:00:00Z`);
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(at);
}
