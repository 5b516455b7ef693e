/**
 * Makes a gate that runs one act at a time, in order of arrival, for acts that need much memory. An act that fails lets the
 * next one run.
 */
export function oneAtATime(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act, act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
