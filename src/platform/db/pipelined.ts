/**
 * Calls these functions in order, without waiting in between: their first statements are issued in this order on the one
 * connection of the transaction, and the server runs them in this order. Each sees the changes of those before it. Only the
 * first statement of a function has a guaranteed position; statements that it issues after an answer do not.
 *
 * Use it where the order matters. `Promise.all` inside a transaction says that it does not.
 *
 * Resolves to the results in the same order; rejects with the first error, as `Promise.all` does.
 */
export function pipelined<T extends readonly unknown[]>(
  ...statements: { [K in keyof T]: () => PromiseLike<T[K]> }
): Promise<T> {
  // An async function runs at once up to its first await, and one that throws rejects like the others.
  return Promise.all(statements.map(async (issue) => issue())) as Promise<unknown> as Promise<T>;
}
