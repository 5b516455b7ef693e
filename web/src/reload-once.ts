// Reloads the dashboard, but not again and again.
const RELOADED_AT = 'tocsin.reloaded-at';
/** A server that lacks the code of its own page, because files were replaced under it, lacks it after a reload too. */
const NOT_AGAIN_WITHIN_MS = 30_000;

type Browser = {
  /** Outlives the reload. */
  storage: Pick<Storage, 'getItem' | 'setItem'>;
  nowMs: number;
  reload: () => void;
};

/** Reloads, and never returns. Throws the error if that has just been tried. */
export function reloadOnce(error: unknown, { storage, nowMs, reload }: Browser): Promise<never> {
  const agoMs = nowMs - Number(storage.getItem(RELOADED_AT) ?? 0);
  if (agoMs < NOT_AGAIN_WITHIN_MS) throw error;
  storage.setItem(RELOADED_AT, String(nowMs));
  reload();
  return new Promise(() => undefined);
}
