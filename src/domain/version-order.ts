// The order of versions (semver.org, precedence).

const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/** Whether a version comes before another one. False where one of them is no version: nothing is known then. */
export function isBehind(version: string, latest: string): boolean {
  const [left, right] = [VERSION.exec(version), VERSION.exec(latest)];
  if (!left || !right) return false;
  for (const place of [1, 2, 3]) {
    const difference = Number(left[place]) - Number(right[place]);
    if (difference !== 0) return difference < 0;
  }
  return isEarlierRelease(left[4], right[4]);
}

/** Of the same release: what comes before it has a name, such as `beta.1`. */
function isEarlierRelease(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined) return left !== undefined && right === undefined;
  const [lefts, rights] = [left.split('.'), right.split('.')];
  for (let i = 0; i < Math.min(lefts.length, rights.length); i++) {
    const [one = '', other = ''] = [lefts[i], rights[i]];
    if (one === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
    if (isNumber && isOtherNumber && Number(one) !== Number(other)) return Number(one) < Number(other);
    if (isNumber !== isOtherNumber) return isNumber;
    if (!isNumber) return one < other;
  }
  return lefts.length < rights.length;
}
