/** Milliseconds between two looks at fresh checks of something checked every `intervalSeconds`: never hasty, never stale. */
export function pollEvery(intervalSeconds: number): number {
  return Math.min(30, Math.max(3, intervalSeconds)) * 1_000;
}
