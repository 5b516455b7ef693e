// An orderly stop with a time limit.

/** Waits until everything is stopped; after `limitMs` the last resorts act instead. False if not everything was in order. */
export async function stopWithin(
  limitMs: number,
  stopped: Promise<boolean>,
  lastResorts: readonly (() => void)[],
): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => {
    for (const act of lastResorts) act();
    resolve(false);
  }, limitMs);
  const clean = await Promise.race([stopped, late]);
  clearTimeout(timer);
  return clean;
}
