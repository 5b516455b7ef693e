// Moments as a `datetime-local` field writes them: in the reader's time zone, to the minute.

/** `2026-11-21T14:05` from Unix seconds. */
export function toLocalInput(unix: number): string {
  const date = new Date(unix * 1_000);
  const pad = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}`;
}

/**
 * Unix seconds; null if the text is no valid moment. `shown` is the moment that the field was filled with: a field that still says so
 * is untouched, and keeps its seconds and, where clocks are put back, its one of the two hours.
 */
export function fromLocalInput(value: string, shown?: number): number | null {
  if (shown !== undefined && value === toLocalInput(shown)) return shown;
  const ms = new Date(value).getTime();
  return Number.isNaN(ms) ? null : Math.floor(ms / 1_000);
}
