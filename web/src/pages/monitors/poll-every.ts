/** Polling interval in milliseconds for a monitor checked every `intervalSeconds`: never too frequent, never stale. */
export function pollEvery(intervalSeconds: number): number {
  return Math.min(30, Math.max(3, intervalSeconds)) * 1_000;
}
