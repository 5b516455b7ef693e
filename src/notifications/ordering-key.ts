// Deliveries with one ordering key are sent strictly in order (docs/rules/notifications.md#order-of-deliveries). A key stands for
// one target and one incident, or, for chat and paging targets, one group of incidents, whose messages are joined. The
// database calls the column `lane`.

export const orderingKeyOf = (targetId: string, resourceId: string): string => `${targetId}:${resourceId}`;

export const groupOrderingKeyOf = (targetId: string, groupNo: number): string =>
  `${targetId}:group:${groupNo}`;

/** The number of the group; null for the key of one incident. */
export function groupOfKey(key: string): number | null {
  const no = /:group:([0-9]+)$/.exec(key)?.[1];
  return no === undefined ? null : Number(no);
}

/** The target that a key is of. */
export const targetOfKey = (key: string): string => key.slice(0, key.indexOf(':'));

/** The first message about a group waits this long for further events if its first incidents were already notified. */
export const GATHER_MS = 5_000;
/** The least time between two messages about one group; some are sent without waiting (delivery/group-due.ts). */
export const APART_MS = 60_000;
