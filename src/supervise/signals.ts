// Ctrl-C and kill: the first asks for an orderly stop, a second ends the process at once.

const PARENT_CHECK_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export type StopRequest = {
  /** Aborted by the first signal. */
  signal: AbortSignal;
  /** Resolves with the first signal's name. */
  requested: Promise<NodeJS.Signals>;
  /** Removes the handlers again. */
  dispose(): void;
};

/**
 * Listens for signals. `force` runs on a second one, just before the process exits with 128 + its number.
 * `withParent`: the end of our parent process counts as SIGTERM. A `kill` of `npm start` ends npm and its shell, and
 * neither passes the signal on.
 */
export function listenForSignals(force: () => void, withParent: boolean): StopRequest {
  const controller = new AbortController();
  const numbers: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  const onSignal = (signal: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      force();
      process.exit(128 + (numbers[signal] ?? 0));
    }
    controller.abort();
    resolve(signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (!withParent || process.ppid === parent) return;
    clearInterval(watch);
    if (!controller.signal.aborted) onSignal('SIGTERM');
  }, PARENT_CHECK_MS);
  watch.unref();
  return {
    signal: controller.signal,
    requested: promise,
    dispose() {
      clearInterval(watch);
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
