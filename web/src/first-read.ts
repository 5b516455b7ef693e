// What appears above what is already shown pushes it down, from under the pointer of whoever is about to click. So a page waits for the
// first answer to everything that stands above, and then shows it in one piece.

type Read = { isLoading: boolean; failureCount: number };

/** Whether one of these reads is on its way for the first time. One that failed once is not waited for, though it is retried. */
export const isFirstRead = (...reads: readonly Read[]): boolean =>
  reads.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
