import { appendFileSync, readFileSync } from 'node:fs';
import { type Entry, isEntry } from './heartbeat.ts';

/** Appends one line per entry; returns the bytes. Throws if the disk accepts nothing. */
export function appendEntries(path: string, entries: readonly Entry[]): number {
  const text = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
  appendFileSync(path, text, { mode: 0o600 });
  return Buffer.byteLength(text);
}

/**
 * The complete lines of a segment; skips lines that a crash or the disk has damaged. A missing file is empty. Throws if the
 * file is there and cannot be read now.
 */
export function* readEntries(path: string): Generator<Entry> {
  let text = '';
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  for (const line of text.split('\n')) {
    const entry = entryIn(line);
    if (entry !== null) yield entry;
  }
}

/** Whether there is nothing at a path; any other error says nothing about what is there. */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

function entryIn(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : null;
  } catch {
    return null;
  }
}
