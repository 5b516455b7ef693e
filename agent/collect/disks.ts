// How full disks are. A look at a broken disk may never end: it costs that disk's reading, and no other's.
import { type StatsFs, statfs } from 'node:fs';
import type { Log } from '#probe/log.ts';
import type { Disk } from './sources.ts';

/** Below the limit of a reading, which is that of all disks together. */
const LOOK_MS = 3_000;

type SpaceOf = (mount: string) => Promise<Pick<StatsFs, 'blocks' | 'bfree' | 'bavail'>>;

/** Reads the disks at these mounts, without those whose look has not ended, which are looked at again once it has. */
export function diskReader(
  log: Log,
  spaceOf: SpaceOf = spaceAt,
): (mounts: readonly string[]) => Promise<Disk[]> {
  /** Each of them occupies a thread. */
  const hanging = new Set<string>();
  return async (mounts) => {
    const looking = new Map(
      mounts.filter((mount) => !hanging.has(mount)).map((mount) => [mount, diskAt(mount, spaceOf)]),
    );
    const open = new Set(looking.keys());
    for (const [mount, look] of looking)
      void look.finally(() => {
        open.delete(mount);
        hanging.delete(mount);
      });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), LOOK_MS);
    });
    const disks = await Promise.all([...looking.values()].map((look) => Promise.race([look, late])));
    clearTimeout(timer);
    for (const mount of open) {
      hanging.add(mount);
      log('warn', 'No reading of a disk until it answers', { mount });
    }
    return disks.filter((disk) => disk !== null);
  };
}

/** As `df` counts: the part that users may fill. null: it is gone, or has no blocks. */
async function diskAt(mount: string, spaceOf: SpaceOf): Promise<Disk | null> {
  try {
    const { blocks, bfree, bavail } = await spaceOf(mount);
    const used = blocks - bfree;
    return used + bavail > 0 ? { mount, pct: (used / (used + bavail)) * 100 } : null;
  } catch {
    return null;
  }
}

// node:fs/promises would load modules that the agent needs for nothing else.
const spaceAt: SpaceOf = (mount) =>
  new Promise((resolve, reject) => {
    statfs(mount, (error, stats) => (error ? reject(error) : resolve(stats)));
  });
