// How far a probe has been told of its region: a place in what was assigned and in what was removed, both in the order of
// their changes. Answers of a page end at one, and it travels in their `epoch`, so that no server has to remember it.

/** A monitor's change, by the revision it came with. */
export type Place = { revision: number; no: number };
export type Told = { assigned: Place; removed: Place };

/** Behind every change of a revision. */
const LAST_NO = 2 ** 31 - 1;

/** Nothing yet: everything that is assigned is to be told, and what is removed after this revision. */
export const toldNothing = (revision: number): Told => ({
  assigned: { revision: 0, no: 0 },
  removed: { revision, no: LAST_NO },
});

/** Everything up to a revision. */
export const toldUntil = (revision: number): Told => ({
  assigned: { revision, no: LAST_NO },
  removed: { revision, no: LAST_NO },
});

/** An epoch with the place that an answer ends at, when there is more to tell. */
export function writeEpoch(name: string, told: Told | null): string {
  if (!told) return name;
  const { assigned, removed } = told;
  const numbers = [assigned.revision, assigned.no, removed.revision, removed.no];
  return [name, ...numbers.map((number) => number.toString(36))].join('.');
}

/** Takes an epoch apart that a probe has sent back; what is none of ours has a name that no epoch has. */
export function readEpoch(epoch: string): { name: string; told: Told | null } {
  const [name = '', ...rest] = epoch.split('.');
  if (rest.length === 0) return { name, told: null };
  if (rest.length !== 4 || rest.some((part) => !/^[0-9a-z]{1,10}$/.test(part)))
    return { name: '', told: null };
  const [revision = 0, no = 0, removedRevision = 0, removedNo = 0] = rest.map((part) =>
    Number.parseInt(part, 36),
  );
  if (no > LAST_NO || removedNo > LAST_NO) return { name: '', told: null };
  return {
    name,
    told: { assigned: { revision, no }, removed: { revision: removedRevision, no: removedNo } },
  };
}
