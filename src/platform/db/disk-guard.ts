// A full disk stops PostgreSQL. Check results take most of the space, and probes can keep them, so they are refused first.
// Alarms, deliveries, pings and sign-ins are small and cannot be sent again, so they are still accepted.
import { statfs } from 'node:fs/promises';
import { type DiskSpace, isScarce } from '#src/domain/disk-space.ts';
import type { Log } from '../log.ts';

export type ReadDisk = () => Promise<DiskSpace>;

export type DiskGuard = {
  /** Whether check results must be refused. */
  resultsPaused: () => boolean;
  /** Milliseconds since results began to be refused; null while they are accepted. */
  pausedForMs: () => number | null;
  /** Whether the database reported a full disk and has not recovered since: writes may be failing. */
  databaseFull: () => boolean;
  /** null if unknown: the database is on another machine, or its disk has not been read yet. */
  freeBytes: () => number | null;
  /** Call it when the database refuses a statement with 53100 (disk_full). */
  noteFull: () => void;
};

export type DiskGuardOptions = {
  /** Reads the database's disk; null if it is on another machine. */
  read: ReadDisk | null;
  /** The machine's monotonic time in milliseconds. */
  elapsedMs: () => number;
  log: Log;
};

const EVERY_MS = 1_000;
/** Pause before results are tried again after a full disk. */
const PAUSE_MS = 30_000;
/** The disk counts as recovered when results were accepted for this long without another disk_full. */
const OVER_MS = 60_000;

/** A guard and the reading that updates it; readings must not overlap. */
export function makeDiskGuard({ read, elapsedMs, log }: DiskGuardOptions): {
  guard: DiskGuard;
  readNow: () => Promise<void>;
} {
  let space: DiskSpace | null = null;
  let scarce = false;
  let unreadable = false;
  let fullAtMs = Number.NEGATIVE_INFINITY;
  let pausedAtMs: number | null = null;

  const isFull = (forMs: number) => elapsedMs() - fullAtMs < forMs;
  const logChange = () => {
    const begun = scarce || isFull(OVER_MS);
    if (begun === (pausedAtMs !== null)) return;
    pausedAtMs = begun ? elapsedMs() : null;
    const free = space === null ? {} : { free_bytes: space.freeBytes, total_bytes: space.totalBytes };
    if (begun)
      log.error(
        free,
        'the database disk is full, or nearly; check results are refused until there is space again (probes keep them)',
      );
    else log.error(free, 'the database disk has space again; check results are accepted');
  };

  async function readNow(): Promise<void> {
    if (read !== null)
      try {
        space = await read();
        scarce = isScarce(space, scarce);
        unreadable = false;
      } catch (err) {
        // The last known state stays: a failed reading frees no space.
        if (!unreadable) log.warn({ err }, 'cannot read the free space of the database disk');
        unreadable = true;
      }
    logChange();
  }

  const guard: DiskGuard = {
    resultsPaused: () => scarce || isFull(PAUSE_MS),
    pausedForMs: () => (pausedAtMs === null ? null : elapsedMs() - pausedAtMs),
    databaseFull: () => isFull(OVER_MS),
    freeBytes: () => space?.freeBytes ?? null,
    noteFull() {
      fullAtMs = elapsedMs();
      logChange();
    },
  };
  return { guard, readNow };
}

/** Reads the free space at once, then every second until stopped. */
export async function startDiskGuard(options: DiskGuardOptions): Promise<DiskGuard & { stop: () => void }> {
  const { guard, readNow } = makeDiskGuard(options);
  await readNow();
  let reading = false;
  const timer = setInterval(() => {
    if (reading) return;
    reading = true;
    void readNow().finally(() => {
      reading = false;
    });
  }, EVERY_MS);
  return { ...guard, stop: () => clearInterval(timer) };
}

/** Reads the free space of the disk that holds a folder, as available to a user who is not root. */
export function diskOf(dir: string): ReadDisk {
  return async () => {
    const { bavail, blocks, bsize } = await statfs(dir);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  };
}
