// Which organizations leave a cell that is too full, and how long a move takes.
import type { Organization } from './organizations.ts';

/**
 * Organizations with at least `excess` monitors together: either the smallest one that is enough alone, or the largest
 * ones that are smaller, whichever moves less. None of them could stay. All of them if they are not enough.
 */
export function movesOut(organizations: readonly Organization[], excess: number): Organization[] {
  if (excess <= 0) return [];
  const largestFirst = organizations.toSorted((a, b) => b.monitors - a.monitors || a.no - b.no);
  const alone = largestFirst.findLast(({ monitors }) => monitors >= excess);
  const several: Organization[] = [];
  let left = excess;
  for (const organization of largestFirst) {
    if (left <= 0) break;
    if (organization.monitors >= excess) continue;
    several.push(organization);
    left -= organization.monitors;
  }
  const needed = withoutSpare(several, excess);
  if (left > 0) return alone ? [alone] : needed;
  return alone && alone.monitors <= sum(needed) ? [alone] : needed;
}

/** Without those whose monitors are not needed; the largest are looked at first. */
function withoutSpare(chosen: readonly Organization[], excess: number): Organization[] {
  let spare = sum(chosen) - excess;
  return chosen.filter(({ monitors }) => {
    if (monitors > spare) return true;
    spare -= monitors;
    return false;
  });
}

export const sum = (organizations: readonly Organization[]): number =>
  organizations.reduce((total, { monitors }) => total + monitors, 0);

export type Pace = {
  /** Lines of an export, one a check. */
  exportedPerSecond: number;
  importedPerSecond: number;
  /** Lines of a monitor that move with it. */
  linesPerMonitor: number;
  /** Everything that does not grow with the organization: starting commands, copying, people. */
  fixedSeconds: number;
};

/** Seconds from the snapshot until the organization is checked in its new cell. */
export function moveSeconds(monitors: number, pace: Pace): number {
  const lines = monitors * pace.linesPerMonitor;
  return pace.fixedSeconds + lines / pace.exportedPerSecond + lines / pace.importedPerSecond;
}
