// A full disk ends PostgreSQL. So what takes most of it, results of checks, which probes can keep, is refused before that;
// what is little and cannot be sent again (alarms, deliveries, pings, sign-in) goes on.
import { statfs } from 'node:fs/promises';
import { type DiskSpace, isScarce } from '#src/domain/disk-space.ts';
import type { Log } from '../log.ts';

export type ReadDisk = () => Promise<DiskSpace>;

export type DiskGuard = {
  /** Results of checks are not to be taken. */
  resultsPaused: () => boolean;
  /** How long ago it began that results were not to be taken; null where it is over, or never was. In milliseconds. */
  pausedForMs: () => number | null;
  /** The database said that it has no space, and it is not known to be over: what somebody sent may not have been stored. */
  databaseFull: () => boolean;
  /** null where nobody knows: the database is on another machine, or its disk was not read yet. */
  freeBytes: () => number | null;
  /** The database refused something with 53100 (disk_full). */
  noteFull: () => void;
};

export type DiskGuardOptions = {
  /** Reads the disk of the database; null where it is on another machine. */
  read: ReadDisk | null;
  /** A time of the machine that is never set, in milliseconds. */
  elapsedMs: () => number;
  log: Log;
};

const EVERY_MS = 1_000;
/** Nothing is tried for so long after the database said it was full. */
const PAUSE_MS = 30_000;
/** It is over when results were tried for 30 s after that, and it did not say so again. */
const OVER_MS = 60_000;

/** A guard, and the look that it lives on; looks may not overlap. */
export function makeDiskGuard({ read, elapsedMs, log }: DiskGuardOptions): {
  guard: DiskGuard;
  look: () => Promise<void>;
} {
  let space: DiskSpace | null = null;
  let scarce = false;
  let unreadable = false;
  let fullAtMs = Number.NEGATIVE_INFINITY;
  let toldAtMs: number | null = null;

  const isFull = (forMs: number) => elapsedMs() - fullAtMs < forMs;
  const tell = () => {
    const begun = scarce || isFull(OVER_MS);
    if (begun === (toldAtMs !== null)) return;
    toldAtMs = begun ? elapsedMs() : null;
    const free = space === null ? {} : { free_bytes: space.freeBytes, total_bytes: space.totalBytes };
    if (begun)
      log.error(
        free,
        'the disk of the database is full, or nearly; results of checks are refused until there is space again (probes keep them)',
      );
    else log.error(free, 'the disk of the database has space again; results of checks are taken');
  };

  async function look(): Promise<void> {
    if (read !== null)
      try {
        space = await read();
        scarce = isScarce(space, scarce);
        unreadable = false;
      } catch (err) {
        // What was known last stays true: a look that fails is no space.
        if (!unreadable) log.warn({ err }, 'the free space of the database’s disk cannot be read');
        unreadable = true;
      }
    tell();
  }

  const guard: DiskGuard = {
    resultsPaused: () => scarce || isFull(PAUSE_MS),
    pausedForMs: () => (toldAtMs === null ? null : elapsedMs() - toldAtMs),
    databaseFull: () => isFull(OVER_MS),
    freeBytes: () => space?.freeBytes ?? null,
    noteFull() {
      fullAtMs = elapsedMs();
      tell();
    },
  };
  return { guard, look };
}

/** Looks at once, then every second until stopped. */
export async function startDiskGuard(options: DiskGuardOptions): Promise<DiskGuard & { stop: () => void }> {
  const { guard, look } = makeDiskGuard(options);
  await look();
  let looking = false;
  const timer = setInterval(() => {
    if (looking) return;
    looking = true;
    void look().finally(() => {
      looking = false;
    });
  }, EVERY_MS);
  return { ...guard, stop: () => clearInterval(timer) };
}

/** Reads the disk that a folder is on, as far as a user who is not root may fill it. */
export function diskOf(dir: string): ReadDisk {
  return async () => {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  };
}
