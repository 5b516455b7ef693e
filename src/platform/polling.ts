// The times of a process's polls. Polls of equal or multiple periods that began together would fall on the same instant forever,
// and each needs a database connection then, with the memory of a PostgreSQL process behind it.

/** The largest part of a period by which a poll may come early. */
const JITTER = 0.2;

/** The time until the next poll, in milliseconds: up to a fifth shorter than `everyMs`, `random` in [0, 1). */
export const withJitter = (everyMs: number, random: number = Math.random()): number =>
  Math.round(everyMs * (1 - JITTER * random));

/** Polls every `everyMs` milliseconds or a little earlier, without waiting for the poll before. Returns a function that stops it. */
export function startPolling(poll: () => void, everyMs: number): () => void {
  let timer: NodeJS.Timeout;
  const again = () => {
    timer = setTimeout(() => {
      again();
      poll();
    }, withJitter(everyMs));
  };
  again();
  return () => clearTimeout(timer);
}
