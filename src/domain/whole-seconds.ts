/**
 * Parts of a time (ms) as whole seconds that add up to the whole, rounded: rounded one by one, many halves would make it longer.
 * Each is less than a second off; those that are whole seconds stay so.
 */
export function wholeSeconds(partsMs: readonly number[]): number[] {
  let [untilMs, until] = [0, 0];
  return partsMs.map((partMs) => {
    const from = until;
    untilMs += partMs;
    until = Math.round(untilMs / 1000);
    return until - from;
  });
}
