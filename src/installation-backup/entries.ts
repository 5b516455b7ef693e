// Reads the entries of a backup one after another, holding at most one chunk of a table.
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';

export type Entry = { name: string; content: AsyncIterable<Buffer> };

/** A file that is not a backup, was cut off, or is not what it was when it was written. */
export class BackupDamaged extends Error {
  constructor(what: string) {
    super(`The backup cannot be restored: ${what}. Nothing was changed.`);
    this.name = 'BackupDamaged';
  }
}

/** Most bytes of an entry that is read whole. */
const MAX_BYTES = 16 * 1024 * 1024;

export type Entries = {
  /** The next entry, without moving past it; null at the end. */
  peek(): Promise<Entry | null>;
  /** Moves past the entry that peek returned; its content must have been read. */
  consumed(): void;
  /** Takes the next entry, which must have this name, and answers its text. */
  text(name: string): Promise<string>;
  close(): Promise<void>;
};

/** Opens the entries of a gzip'd tar. */
export function openEntries(source: Readable): Entries {
  const tar = extract();
  const closing = new AbortController();
  const fed: Promise<void> = pipeline(
    source,
    createGunzip(),
    async (plain: AsyncIterable<Buffer>) => {
      for await (const chunk of plain)
        if (!tar.write(chunk)) await once(tar, 'drain', { signal: closing.signal });
      tar.end(null);
    },
    { signal: closing.signal },
  ).catch((error: Error) => {
    tar.destroy(error);
  });
  const iterator = tar[Symbol.asyncIterator]();
  let ahead: Promise<Entry | null> | null = null;

  const peek = () => {
    ahead ??= iterator.next().then(
      ({ done, value }) =>
        done ? null : { name: value.header.name, content: value as AsyncIterable<Buffer> },
      (error: Error) => {
        throw new BackupDamaged(`it is no whole backup file (${error.message})`);
      },
    );
    return ahead;
  };
  const consumed = () => {
    ahead = null;
  };
  return {
    peek,
    consumed,
    async text(name) {
      const entry = await peek();
      if (entry?.name !== name)
        throw new BackupDamaged(`${name} is missing${entry ? `, ${entry.name} is in its place` : ''}`);
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of entry.content) {
        size += chunk.length;
        if (size > MAX_BYTES) throw new BackupDamaged(`${name} is too long`);
        chunks.push(chunk);
      }
      consumed();
      return Buffer.concat(chunks).toString('utf8');
    },
    async close() {
      closing.abort();
      await fed;
      tar.destroy();
    },
  };
}
