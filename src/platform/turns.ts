/**
 * Makes a gate through which one act goes at a time, in the order they came: for what takes much memory while it runs.
 * An act that fails lets the next one go on.
 */
export function takeTurns(): <T>(act: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (act) => {
    const turn = last.then(act, act);
    last = turn.catch(() => undefined);
    return turn;
  };
}
