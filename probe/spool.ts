import { mkdir, readdir, stat, statfs, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type DiskSpace, spoolStopsBelow } from '../src/domain/disk-space.ts';
import { SPOOL_BYTES } from '../src/domain/spool.ts';
import type { Result } from '../src/probe-protocol/contract.ts';
import { type Log, reasonOf } from './log.ts';
import { appendSegment, readSegment, rewriteSegment, type Segment } from './spool-segment.ts';

export type SpoolOptions = {
  dir: string;
  log: Log;
  /** Bytes on disk; beyond that the oldest passed results are dropped first, then the oldest of all. */
  maxBytes?: number | undefined;
  /** Results in one file, and in one post. */
  segmentResults?: number | undefined;
  /** The disk of the directory; absent: the system reports it. */
  readDisk?: (() => Promise<DiskSpace>) | undefined;
  /** Monotonic milliseconds. */
  nowMs: () => number;
};

export type Batch = {
  results: Result[];
  /** The server has them: drops them. */
  done(): Promise<void>;
  /** They cannot be sent now: the others go first, and these are tried again a minute later. */
  putBack(): void;
};

/** Results that could not be delivered, oldest first, across restarts. Calls must not overlap. */
export type Spool = {
  /** Nothing can be delivered now. */
  readonly empty: boolean;
  /** When what was put back is due, on the clock of `nowMs`; undefined: nothing was. */
  readonly againAtMs: number | undefined;
  append(results: readonly Result[]): Promise<void>;
  /** The oldest results, at most one file of them; undefined when there are none. */
  oldest(): Promise<Batch | undefined>;
};

type File = {
  path: string;
  bytes: number;
  results: number;
  /** Not to be tried before; undefined: at once. */
  againAtMs?: number | undefined;
};

const SEGMENT_RESULTS = 5_000;
/** A file that cannot be read or sent now is tried again this much later. */
const AGAIN_MS = 60_000;
/** Results kept in memory while the disk accepts nothing or is nearly full; failures are kept longest. */
const MAX_UNWRITTEN = 20_000;

/** Response excerpts are never stored unsealed, so they are not spooled. */
const withoutAnswer = ({ response_excerpt: _, ...result }: Result): Result => result;

/** Opens the spool in a directory, creating it if absent, with the results of an earlier process. */
export async function openSpool(options: SpoolOptions): Promise<Spool> {
  const { dir, log, maxBytes = SPOOL_BYTES, segmentResults = SEGMENT_RESULTS } = options;
  const { readDisk = () => diskOf(dir), nowMs } = options;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const files: File[] = await leftOver(dir);
  let sequence = Math.max(0, ...files.map(({ path }) => sequenceOf(path)));
  // A file of an earlier process may end in a torn line: it is read, never appended to.
  let open: File | undefined;
  let unwritten: Result[] = [];
  let diskTrouble = false;
  /** Since the disk accepts nothing. */
  let dropped = 0;
  const isDue = ({ againAtMs }: File) => againAtMs === undefined || againAtMs <= nowMs();

  const write = async (): Promise<void> => {
    while (unwritten.length > 0) {
      const { freeBytes, totalBytes } = await readDisk();
      // The database may share this disk and needs the space to accept the results later.
      if (freeBytes < spoolStopsBelow(totalBytes)) throw new Error('the disk is nearly full');
      if (open === undefined || open.results >= segmentResults) {
        sequence += 1;
        open = { path: join(dir, `${String(sequence).padStart(12, '0')}.results`), bytes: 0, results: 0 };
        files.push(open);
      }
      const part = unwritten.slice(0, segmentResults - open.results);
      open.bytes += await appendSegment(open.path, part);
      open.results += part.length;
      unwritten = unwritten.slice(part.length);
    }
  };

  /** A file that took nothing is none: each attempt on a full disk would leave another one, here and there. */
  const giveUpOpen = async (): Promise<void> => {
    const failed = open;
    open = undefined;
    if (failed === undefined || failed.results > 0) return;
    files.splice(files.indexOf(failed), 1);
    await unlink(failed.path).catch(() => undefined);
  };

  /** Undefined: it cannot be read now. It is kept, since only a missing file is known to hold nothing. */
  const read = async (file: File): Promise<Segment | undefined> => {
    try {
      const segment = await readSegment(file.path);
      file.againAtMs = undefined;
      return segment;
    } catch (error) {
      if (file.againAtMs === undefined)
        log('error', 'A file of the spool cannot be read; it is kept, and tried again every minute', {
          path: file.path,
          reason: reasonOf(error),
        });
      file.againAtMs = nowMs() + AGAIN_MS;
      return undefined;
    }
  };

  const logDamage = (damaged: number, path: string): void => {
    if (damaged > 0) log('warn', 'Damaged records in the spool were skipped', { damaged, path });
  };

  const makeRoom = async (limit: number): Promise<void> => {
    let total = files.reduce((sum, file) => sum + file.bytes, 0);
    let dropped = 0;
    for (const file of files) {
      if (total <= limit) break;
      const segment = isDue(file) ? await read(file) : undefined;
      if (segment === undefined) continue;
      const { results, damaged } = segment;
      const failures = results.filter(({ status }) => status !== 'up');
      if (failures.length === results.length) continue;
      logDamage(damaged, file.path);
      dropped += results.length - failures.length;
      total -= file.bytes;
      file.bytes = await rewriteSegment(file.path, failures);
      file.results = failures.length;
      total += file.bytes;
    }
    while (total > limit && files.length > 1) {
      const [file] = files.splice(0, 1) as [File];
      dropped += file.results;
      total -= file.bytes;
      await unlink(file.path).catch(() => undefined);
    }
    if (dropped > 0)
      log('warn', 'The spool is full: the oldest results were dropped, passed ones first', { dropped, dir });
  };

  return {
    get empty() {
      return !files.some(isDue) && unwritten.length === 0;
    },
    get againAtMs() {
      const times = files.flatMap(({ againAtMs }) => againAtMs ?? []);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async append(results) {
      if (results.length === 0 && unwritten.length === 0) return;
      unwritten = unwritten.concat(results.map(withoutAnswer));
      try {
        await write();
        if (diskTrouble) log('info', 'Results can be written to the spool again', { dir, dropped });
        diskTrouble = false;
        dropped = 0;
        const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
        if (bytes > maxBytes) await makeRoom(maxBytes * 0.9);
      } catch (error) {
        // How much of the last part reached the disk is unknown: it may be sent twice, and the server stores it once.
        await giveUpOpen();
        const kept = bounded(unwritten);
        if (dropped === 0 && kept.length < unwritten.length)
          log('error', 'Results are dropped: neither the spool nor the memory has room for more', { dir });
        dropped += unwritten.length - kept.length;
        unwritten = kept;
        if (!diskTrouble)
          log('error', 'Results cannot be written to the spool; the newest are kept in memory', {
            dir,
            reason: reasonOf(error),
          });
        diskTrouble = true;
      }
    },
    async oldest() {
      for (const file of files.filter(isDue)) {
        if (file === open) open = undefined;
        const segment = await read(file);
        if (segment === undefined) continue;
        const { results, damaged } = segment;
        logDamage(damaged, file.path);
        const done = async () => {
          if (files.includes(file)) files.splice(files.indexOf(file), 1);
          await unlink(file.path).catch(() => undefined);
        };
        const putBack = () => {
          file.againAtMs = nowMs() + AGAIN_MS;
        };
        if (results.length > 0) return { results, done, putBack };
        await done();
      }
      if (unwritten.length === 0) return undefined;
      const results = unwritten.slice(0, segmentResults);
      return {
        results,
        done: async () => {
          unwritten = unwritten.slice(results.length);
        },
        putBack: () => {
          unwritten = unwritten.slice(results.length).concat(results);
        },
      };
    },
  };
}

async function diskOf(dir: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(dir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function leftOver(dir: string): Promise<File[]> {
  const all = await readdir(dir);
  // A crash left it half written; the file that it was to replace is whole.
  const unfinished = all.filter((name) => /^\d{12}\.results\.new$/.test(name));
  await Promise.all(unfinished.map((name) => unlink(join(dir, name)).catch(() => undefined)));
  const names = all.filter((name) => /^\d{12}\.results$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const path = join(dir, name);
      return { path, bytes: (await stat(path)).size, results: SEGMENT_RESULTS };
    }),
  );
}

const sequenceOf = (path: string) => Number(/(\d{12})\.results$/.exec(path)?.[1] ?? 0);

function bounded(results: Result[]): Result[] {
  let excess = results.length - MAX_UNWRITTEN;
  if (excess <= 0) return results;
  const kept = results.filter(({ status }) => status !== 'up' || excess-- <= 0);
  return kept.slice(Math.max(0, kept.length - MAX_UNWRITTEN));
}
