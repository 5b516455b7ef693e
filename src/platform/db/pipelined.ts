/**
 * Calls these functions in this order, without waiting in between: their first statements are issued in this order on the
 * one connection of the transaction, and the server runs them in this order. Each sees what those before it changed.
 * A function that issues further statements once it has an answer has its place for the first one only.
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
