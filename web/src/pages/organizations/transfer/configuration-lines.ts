// Extracts the lines that an import reads from an export, in the browser: an export may contain gigabytes of history, and
// none of it is sent.
import { HEADER_KIND, IMPORT_BYTES, READ_KINDS } from '#src/configuration-import/contract.ts';

export type Configuration = {
  /** The lines to send. */
  lines: Blob;
  /** The number of lines left out, by kind. */
  leftOut: Map<string, number>;
};

export type NoConfiguration = 'no_export' | 'too_large';

/** Why a file cannot be sent at all. */
export class UnusableFile extends Error {
  readonly why: NoConfiguration;
  constructor(why: NoConfiguration) {
    super(why);
    this.why = why;
  }
}

/** Matches lines in the form that the export writes; others are sent, and the server judges them. */
const KIND = /^\s*\{\s*"kind"\s*:\s*"(\w+)"/;
const READ: ReadonlySet<string> = new Set(READ_KINDS);
/** Twice the longest line of an export. */
const MAX_LINE = 32 * 1024 * 1024;

/** Reads the file once. Throws Unusable as soon as the file is no export, or has more configuration than can be sent. */
export async function configurationLines(
  file: Blob,
  onRead: (bytes: number) => void = () => undefined,
): Promise<Configuration> {
  const kept: string[] = [];
  const leftOut = new Map<string, number>();
  let bytes = 0;
  let isFirst = true;
  const take = (line: string): void => {
    if (line.trim() === '') return;
    const kind = KIND.exec(line)?.[1];
    if (isFirst && kind !== HEADER_KIND) throw new UnusableFile('no_export');
    isFirst = false;
    if (kind !== undefined && !READ.has(kind)) {
      leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
      return;
    }
    kept.push(line, '\n');
    bytes += line.length + 1;
    if (bytes > IMPORT_BYTES) throw new UnusableFile('too_large');
  };

  const decoder = new TextDecoder();
  let begun = '';
  let read = 0;
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const lines = (begun + decoder.decode(value, { stream: !done })).split('\n');
      begun = done ? '' : (lines.pop() ?? '');
      for (const line of lines) take(line);
      if (begun.length > MAX_LINE) throw new UnusableFile('no_export');
      if (done) break;
      read += value.length;
      onRead(read);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
  const lines = new Blob(kept, { type: 'application/x-ndjson' });
  if (lines.size > IMPORT_BYTES) throw new UnusableFile('too_large');
  if (isFirst) throw new UnusableFile('no_export');
  return { lines, leftOut };
}
