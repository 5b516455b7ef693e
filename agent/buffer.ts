import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../probe/log.ts';
import type { Entry } from './heartbeat.ts';
import { appendEntries, readEntries } from './segment.ts';

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
  const segments: Segment[] = segmentsIn(dir).map(({ path, bytes, entries }) => ({
    ...{ path, bytes },
    nos: Array.from({ length: entries }, () => nextNo++),
  }));
  let sequence = Number(SEGMENT.exec(basename(segments.at(-1)?.path ?? ''))?.[1] ?? 0);
  // A segment of an earlier process may end in a torn line: it is read, but never appended to.
  let open: Segment | undefined;
  let droppedThrough = 0;
  let unwritten: Kept[] = [];
  let trouble = false;

  const waiting = ({ nos }: Segment) => nos.filter((no) => no > droppedThrough).length;
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

  const write = (): void => {
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
    const bytes = () => segments.reduce((sum, segment) => sum + segment.bytes, 0);
    while (segments.length > 1 && (stored() > maxEntries || bytes() > maxBytes)) {
      dropped += waiting(segments[0]!);
      removeFirst();
    }
    if (dropped > 0) log('warn', 'The buffer is full: the oldest heartbeats were dropped', { dropped });
  };

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
      for (const segment of [...segments]) {
        const nos = [...segment.nos];
        let line = 0;
        for (const entry of readEntries(segment.path)) {
          const no = nos[line++];
          if (no !== undefined && no > droppedThrough) yield { no, entry };
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

function segmentsIn(dir: string): { path: string; entries: number; bytes: number }[] {
  let names: string[] = [];
  try {
    names = readdirSync(dir).filter((name) => SEGMENT.test(name));
  } catch {
    return [];
  }
  return names.sort().flatMap((name) => {
    const path = join(dir, name);
    try {
      return [{ path, entries: [...readEntries(path)].length, bytes: statSync(path).size }];
    } catch {
      return [];
    }
  });
}
