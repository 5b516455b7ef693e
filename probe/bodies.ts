// Counts the bytes of answers in memory, over all checks: read, decompressed, waiting for evaluation.
import type { Tenant } from './tenant.ts';

/** For all organizations together; one alone gets at most half, the rest stays for the others. */
const TOTAL_BYTES = 256 * 1024 * 1024;
/** The part of the total that stays for the other organizations of an owner. */
const LEFT_TO_SIBLINGS = 16;

/** The bytes that one check holds. */
export type Reservation = {
  /** Takes this many more; false if its organization has no room, and then takes none. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** At the end of the check: gives back the rest. */
  end(): void;
};

export type Bodies = { hold(tenant: Tenant): Reservation; heldBytes(): number };

/**
 * An organization, and all of one owner together, may take more as long as it then holds no more than is still free: n
 * greedy ones get 1/(n + 1) each.
 */
export function sharedBodies(totalBytes = TOTAL_BYTES): Bodies {
  const heldBy = new Map<string, number>();
  let held = 0;
  const heldOf = (whose: string) => heldBy.get(whose) ?? 0;
  const add = (whose: readonly string[], bytes: number) => {
    held += bytes;
    for (const each of whose) {
      const own = heldOf(each) + bytes;
      if (own > 0) heldBy.set(each, own);
      else heldBy.delete(each);
    }
  };
  return {
    heldBytes: () => held,
    hold({ organizationId, ownerId }) {
      const whose = ownerId === undefined ? [organizationId] : [organizationId, ownerId];
      let mine = 0;
      const give = (bytes: number) => {
        const given = Math.min(bytes, mine);
        mine -= given;
        if (given > 0) add(whose, -given);
      };
      return {
        take(bytes) {
          // An organization that holds some already leaves a part of its owner's share to the siblings.
          const leaves =
            ownerId !== undefined && heldOf(organizationId) > 0 ? totalBytes / LEFT_TO_SIBLINGS : 0;
          const most = Math.max(...whose.map(heldOf)) + leaves + bytes;
          if (most > totalBytes - held - bytes) return false;
          mine += bytes;
          add(whose, bytes);
          return true;
        },
        give,
        end: () => give(mine),
      };
    },
  };
}

/** For checks that run outside a probe. */
export const UNBOUNDED: Reservation = { take: () => true, give: () => undefined, end: () => undefined };
