// The cursor of a probe: its position among the assigned and among the removed monitors of its region, both in the order of
// their changes. It travels in the `epoch` of each page, so that no server has to remember it.

/** A monitor's change, and its revision. */
export type Position = { revision: number; no: number };
export type Cursor = { assigned: Position; removed: Position };

/** Comes after every change of a revision. */
const LAST_NO = 2 ** 31 - 1;

/** The start of a full answer: all assignments follow, and removals after this revision. */
export const cursorAtStart = (revision: number): Cursor => ({
  assigned: { revision: 0, no: 0 },
  removed: { revision, no: LAST_NO },
});

/** The cursor after everything up to a revision. */
export const cursorAfter = (revision: number): Cursor => ({
  assigned: { revision, no: LAST_NO },
  removed: { revision, no: LAST_NO },
});

/** An epoch, with the cursor of the next page if there is one. */
export function writeEpoch(name: string, cursor: Cursor | null): string {
  if (!cursor) return name;
  const { assigned, removed } = cursor;
  const numbers = [assigned.revision, assigned.no, removed.revision, removed.no];
  return [name, ...numbers.map((number) => number.toString(36))].join('.');
}

/** Parses an epoch that a probe sent back; a malformed one gets a name that no epoch has. */
export function readEpoch(epoch: string): { name: string; cursor: Cursor | null } {
  const [name = '', ...rest] = epoch.split('.');
  if (rest.length === 0) return { name, cursor: null };
  if (rest.length !== 4 || rest.some((part) => !/^[0-9a-z]{1,10}$/.test(part)))
    return { name: '', cursor: null };
  const [revision = 0, no = 0, removedRevision = 0, removedNo = 0] = rest.map((part) =>
    Number.parseInt(part, 36),
  );
  if (no > LAST_NO || removedNo > LAST_NO) return { name: '', cursor: null };
  return {
    name,
    cursor: { assigned: { revision, no }, removed: { revision: removedRevision, no: removedNo } },
  };
}
