import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../probe/log.ts';
import type { Entry } from './heartbeat.ts';
import { appendEntries, isMissing, readEntries } from './segment.ts';

export type BufferOptions = {
  dir: string;
  log: Log;
  /** Bytes on disk; beyond them the oldest heartbeats are dropped. */
  maxBytes?: number | undefined;
  /** Heartbeats on disk: more than a day's, even at one every ten seconds. */
  maxEntries?: number | undefined;
  /** Heartbeats in memory while the disk accepts nothing. */
  maxUnwritten?: number | undefined;
  segmentEntries?: number | undefined;
};

/** An entry and its number in the order of arrival. */
export type Kept = { no: number; entry: Entry };

/** Heartbeats that could not be delivered, oldest first, across restarts (docs/rules/agents.md#buffering). */
export type Buffer = {
  readonly size: number;
  /** Keeps an entry in memory. */
  add(entry: Entry): void;
  /** Writes the entries that are only in memory to disk: from then on they survive a kill. */
  save(): void;
  /** All entries, oldest first, read lazily. Skips entries that are no longer on disk, and no longer counts them. */
  oldest(): Generator<Kept>;
  /** Drops everything up to and including an entry: the server has it, or will never accept it. */
  dropThrough(no: number): void;
};

type Segment = { path: string; bytes: number /** Of its lines. */; nos: number[] };
/** A segment that could not be read; null: nor is it known how many entries it has. */
type Held = { path: string; bytes: number; nos: number[] | null };

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 10_000;
const MAX_UNWRITTEN = 500;
const SEGMENT_ENTRIES = 100;
const SEGMENT = /^(\d{12})\.jsonl$/;

/**
 * Opens the buffer in a folder, with the entries of an earlier process. If the folder cannot be used, the buffer is in memory
 * only.
 */
export function openBuffer(options: BufferOptions): Buffer {
  const { dir, log, maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES } = options;
  const { maxUnwritten = MAX_UNWRITTEN, segmentEntries = SEGMENT_ENTRIES } = options;
  let nextNo = 1;
  const segments: Segment[] = [];
  /** Not sent and not counted as long as they cannot be read, so that they hold up no other. */
  let held: Held[] = [];
  let isListed = false;
  let readTrouble = false;
  let sequence = 0;
  // A segment of an earlier process may end in a torn line: it is read, but never appended to.
  let open: Segment | undefined;
  let droppedThrough = 0;
  let unwritten: Kept[] = [];
  let trouble = false;

  const waiting = ({ nos }: Segment) => nos.filter((no) => no > droppedThrough).length;
  /** The number of a dropped entry is 0: it stays dropped when the others are numbered anew. */
  const withoutDropped = ({ nos }: Segment) => nos.map((no) => (no > droppedThrough ? no : 0));
  const stored = () => segments.reduce((sum, segment) => sum + waiting(segment), 0);

  const removeFirst = (): void => {
    const [first] = segments.splice(0, 1) as [Segment];
    if (first === open) open = undefined;
    remove(first.path);
  };

  /** Somebody removed or truncated a file: its entries, from a certain one on, are gone. */
  const lose = (segment: Segment, from: number): void => {
    const lost = segment.nos.splice(from).filter((no) => no > droppedThrough).length;
    if (lost > 0)
      log('warn', 'Buffered heartbeats have disappeared from the disk', { lost, file: segment.path });
    // The next entry begins a new segment.
    if (segment === open) open = undefined;
    if (segment.nos.length === 0) segments.splice(segments.indexOf(segment), 1);
  };

  const cannotRead = (path: string, error: unknown): void => {
    if (!readTrouble)
      log('error', 'Buffered heartbeats cannot be read; they are kept, and read with the next post', {
        path,
        reason: error instanceof Error ? error.message : 'unknown reason',
      });
    readTrouble = true;
  };

  /** Takes in what an earlier process left; throws while the folder cannot be listed. */
  const list = (): void => {
    const paths = segmentsIn(dir);
    isListed = true;
    held = paths.map((path) => ({ path, bytes: bytesOf(path), nos: null }));
    sequence = Number(SEGMENT.exec(basename(paths.at(-1) ?? ''))?.[1] ?? 0);
    takeBack();
  };

  /** Takes the held segments that can be read again to their places. All entries get new numbers, in the order of arrival. */
  const takeBack = (): void => {
    const back: Segment[] = [];
    held = held.filter((one) => {
      try {
        const entries = [...readEntries(one.path)];
        back.push({ ...one, nos: one.nos ?? entries.map(() => Number.POSITIVE_INFINITY) });
        return false;
      } catch (error) {
        cannotRead(one.path, error);
        return true;
      }
    });
    if (back.length === 0) return;
    if (held.length === 0) readTrouble = false;
    for (const segment of segments) segment.nos = withoutDropped(segment);
    segments.push(...back);
    segments.sort(byPath);
    for (const segment of segments) segment.nos = segment.nos.map((no) => (no > 0 ? nextNo++ : 0));
    for (const kept of unwritten) kept.no = nextNo++;
  };

  const listOrTakeBack = (): void => {
    try {
      if (isListed) takeBack();
      else list();
    } catch (error) {
      cannotRead(dir, error);
    }
  };

  const hold = (segment: Segment): void => {
    if (segment === open) open = undefined;
    segments.splice(segments.indexOf(segment), 1);
    held.push({ ...segment, nos: withoutDropped(segment) });
    held.sort(byPath);
  };

  const write = (): void => {
    // Otherwise an entry could be appended to a file of an earlier process.
    if (!isListed) list();
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    if (open !== undefined && !existsSync(open.path)) lose(open, 0);
    while (unwritten.length > 0) {
      if (open === undefined || open.nos.length >= segmentEntries) {
        sequence += 1;
        open = { path: join(dir, `${String(sequence).padStart(12, '0')}.jsonl`), nos: [], bytes: 0 };
      }
      const part = unwritten.slice(0, segmentEntries - open.nos.length);
      open.bytes += appendEntries(
        open.path,
        part.map(({ entry }) => entry),
      );
      open.nos.push(...part.map(({ no }) => no));
      if (segments.at(-1) !== open) segments.push(open);
      unwritten = unwritten.slice(part.length);
    }
  };

  const makeRoom = (): void => {
    let dropped = 0;
    const bytes = () => [...held, ...segments].reduce((sum, segment) => sum + segment.bytes, 0);
    const entries = () => stored() + held.reduce((sum, { nos }) => sum + (nos?.length ?? segmentEntries), 0);
    const isFull = () => entries() > maxEntries || bytes() > maxBytes;
    while (held.length > 0 && isFull()) {
      const [first] = held.splice(0, 1) as [Held];
      dropped += first.nos?.filter((no) => no > 0).length ?? segmentEntries;
      remove(first.path);
    }
    while (segments.length > 1 && isFull()) {
      dropped += waiting(segments[0]!);
      removeFirst();
    }
    if (dropped > 0) log('warn', 'The buffer is full: the oldest heartbeats were dropped', { dropped });
  };

  listOrTakeBack();
  return {
    get size() {
      return stored() + unwritten.length;
    },
    add(entry) {
      unwritten.push({ no: nextNo++, entry });
      if (unwritten.length > maxUnwritten) unwritten = unwritten.slice(-maxUnwritten);
    },
    save() {
      if (unwritten.length === 0) return;
      try {
        write();
        makeRoom();
        if (trouble) log('info', 'Heartbeats can be buffered on disk again', { dir });
        trouble = false;
      } catch (error) {
        // Part of a line may be on disk, so the next entry begins a new segment.
        if (open && !segments.includes(open)) remove(open.path);
        open = undefined;
        if (!trouble)
          log('error', `Heartbeats cannot be kept on disk; the newest ${maxUnwritten} are kept in memory`, {
            dir,
            reason: error instanceof Error ? error.message : 'unknown reason',
          });
        trouble = true;
      }
    },
    *oldest() {
      listOrTakeBack();
      for (const segment of [...segments]) {
        const nos = [...segment.nos];
        let line = 0;
        try {
          for (const entry of readEntries(segment.path)) {
            const no = nos[line++];
            if (no !== undefined && no > droppedThrough) yield { no, entry };
          }
        } catch (error) {
          cannotRead(segment.path, error);
          hold(segment);
          continue;
        }
        if (line < nos.length && segments.includes(segment)) lose(segment, line);
      }
      yield* unwritten;
    },
    dropThrough(no) {
      droppedThrough = Math.max(droppedThrough, no);
      while (segments[0] && waiting(segments[0]) === 0) removeFirst();
      unwritten = unwritten.filter((kept) => kept.no > no);
    },
  };
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The disk became read-only: a later process sends it again, and the server recognizes it by its time.
  }
}

/** The paths of all segments, oldest first; throws if the folder is there and cannot be listed now. */
function segmentsIn(dir: string): string[] {
  try {
    const names = readdirSync(dir).filter((name) => SEGMENT.test(name));
    return names.sort().map((name) => join(dir, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function bytesOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
