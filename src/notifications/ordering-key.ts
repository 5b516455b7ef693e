// A lane is what is delivered strictly in order (docs/rules/notifications.md#order-and-lanes): to one target of one
// incident, or of one group of incidents, which a chat or paging target is told of together.

export const laneOf = (targetId: string, subjectId: string): string => `${targetId}:${subjectId}`;

export const groupLaneOf = (targetId: string, groupNo: number): string => `${targetId}:group:${groupNo}`;

/** The number of the group, null for a lane of one incident. */
export function groupOfLane(lane: string): number | null {
  const no = /:group:([0-9]+)$/.exec(lane)?.[1];
  return no === undefined ? null : Number(no);
}

/** What comes first is gathered for this long before a group is told of. */
export const GATHER_MS = 5_000;
/** Messages about one group are at least this far apart. */
export const APART_MS = 30_000;
