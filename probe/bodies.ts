// Bytes of answers that are held at a time, over all checks: read, decompressed, waiting to be judged.

/** Of all organizations together; one alone has half of it at most, the rest stays for the others. */
const TOTAL_BYTES = 256 * 1024 * 1024;

/** What one check holds. */
export type Holding = {
  /** Takes so many more; false where its organization may not, and then nothing is taken. */
  take(bytes: number): boolean;
  give(bytes: number): void;
  /** At its end: gives back what is left. */
  end(): void;
};

export type Bodies = { hold(organizationId: string): Holding; heldBytes(): number };

/** An organization may take more while it would hold no more than is still free: n greedy ones have 1/(n + 1) each. */
export function sharedBodies(totalBytes = TOTAL_BYTES): Bodies {
  const heldBy = new Map<string, number>();
  let held = 0;
  const add = (organizationId: string, bytes: number) => {
    held += bytes;
    const own = (heldBy.get(organizationId) ?? 0) + bytes;
    if (own > 0) heldBy.set(organizationId, own);
    else heldBy.delete(organizationId);
  };
  return {
    heldBytes: () => held,
    hold(organizationId) {
      let mine = 0;
      const give = (bytes: number) => {
        const given = Math.min(bytes, mine);
        mine -= given;
        if (given > 0) add(organizationId, -given);
      };
      return {
        take(bytes) {
          if ((heldBy.get(organizationId) ?? 0) + bytes > totalBytes - held - bytes) return false;
          mine += bytes;
          add(organizationId, bytes);
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
