// Bytes of answers that are held at a time, over all checks: read, decompressed, waiting to be judged.
import type { Subject } from './subject.ts';

/** Of all organizations together; one alone has half of it at most, the rest stays for the others. */
const TOTAL_BYTES = 256 * 1024 * 1024;
/** What part of all is left to the other organizations of an owner. */
const LEFT_TO_SIBLINGS = 16;

/** What one check holds. */
export type Holding = {
  /** Takes so many more; false where its organization may not, and then nothing is taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** At its end: gives back what is left. */
  end(): void;
};

export type Bodies = { hold(subject: Subject): Holding; heldBytes(): number };

/**
 * An organization, and all of one owner together, may take more while it would hold no more than is still free: n greedy
 * ones have 1/(n + 1) each.
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
          // Who holds some already leaves a part of its owner's to the siblings.
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

/** For checks that are made by themselves. */
export const UNBOUNDED: Holding = { take: () => true, give: () => undefined, end: () => undefined };
