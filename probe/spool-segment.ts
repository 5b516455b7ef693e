import { open, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import zlib from 'node:zlib';
import type { Result } from '../src/probe-protocol/contract.ts';

/**
 * One file of the spool: a line per result, `<crc32 of the JSON in 8 hex digits> <JSON>`. A line whose
 * checksum is wrong (torn by a crash, damaged on disk) is skipped and counted.
 */
export type Segment = { results: Result[]; damaged: number };

/** Appends results and waits until they are on disk; returns the bytes written. */
export async function appendSegment(path: string, results: readonly Result[]): Promise<number> {
  const text = encode(results);
  const file = await open(path, 'a', 0o600);
  try {
    await file.appendFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  return Buffer.byteLength(text);
}

/** Replaces the whole file, in one step; returns its bytes. A failure leaves nothing else on the disk, which may be full. */
export async function rewriteSegment(path: string, results: readonly Result[]): Promise<number> {
  const text = encode(results);
  try {
    await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  } catch (error) {
    await unlink(`${path}.new`).catch(() => undefined);
    throw error;
  }
  return Buffer.byteLength(text);
}

/**
 * Reads the complete lines. A missing file counts as empty: another process with the same directory sent it. Rejects if the
 * file is there and cannot be read now.
 */
export async function readSegment(path: string): Promise<Segment> {
  const results: Result[] = [];
  let damaged = 0;
  for (const line of (await readFile(path, 'utf8').catch(emptyIfMissing)).split('\n')) {
    if (line === '') continue;
    const json = line.slice(9);
    if (line[8] === ' ' && checksum(json) === line.slice(0, 8)) results.push(JSON.parse(json));
    else damaged += 1;
  }
  return { results, damaged };
}

/** The text of a file that is not there; rethrows any other error, which says nothing about what is in it. */
export function emptyIfMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

function encode(results: readonly Result[]): string {
  let text = '';
  for (const result of results) {
    const json = JSON.stringify(result);
    text += `${checksum(json)} ${json}\n`;
  }
  return text;
}

// Not by its name, which Node knows from 20.15 on only: an import of it would fail before (node-20.ts).
const checksum = (json: string) => zlib.crc32(json).toString(16).padStart(8, '0');
