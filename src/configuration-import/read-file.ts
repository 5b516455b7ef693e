// Reads the lines of an export that are brought in. Anybody may have written the file: each line is held to the shape of its
// kind, and a file with one that is not is refused as a whole.
import { type DataOf, FORMAT, KINDS_OF_LINES } from '../organization-export/format.ts';
import { LineTooLong, linesOf } from '../organization-export/lines-of.ts';
import { parseJsonBody } from '../platform/http/json-body.ts';
import { problemOf } from '../platform/http/validate.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import { HEADER_KIND, MAX_MONITORS, MAX_OTHERS, READ_KINDS } from './contract.ts';

type ReadKind = (typeof READ_KINDS)[number];
export type Given = {
  /** Name of the organization in the file. */
  from: string | null;
  of: { [K in ReadKind]: DataOf<K>[] };
  leftOut: Map<string, number>;
};

/** The server does something else between two of these. */
const CHUNK_BYTES = 128 * 1024;
/** A page has at most this many. */
const MAX_SHOWN = 200;

/** Refuses with `invalid_request` and the number of the line, and with `payload_too_large` more than is brought in at once. */
export async function readFile(body: unknown): Promise<Given> {
  if (!Buffer.isBuffer(body) || body.length === 0)
    refuse('invalid_request', 'Send an export as the request body: the file organization.jsonl.');
  const of = Object.fromEntries(READ_KINDS.map((kind) => [kind, []])) as unknown as Given['of'];
  const leftOut = new Map<string, number>();
  let number = 0;
  try {
    for await (const text of linesOf(chunksOf(body), body.length)) {
      number += 1;
      if (text.trim() === '') continue;
      const { kind, data } = lineOf(number, text);
      if ((number === 1) !== (kind === HEADER_KIND))
        refuse(
          'invalid_request',
          `Line ${number}: the first line of an export, and no other, is its header (${HEADER_KIND}).`,
        );
      if (isRead(kind)) {
        refuseBadLine(number, kind, data);
        (of[kind] as object[]).push(data);
        refuseMany(kind, of[kind].length, of.status_page.length);
      } else leftOut.set(kind, (leftOut.get(kind) ?? 0) + 1);
    }
  } catch (error) {
    if (error instanceof LineTooLong) refuse('invalid_request', `Line ${number + 1} is too long.`);
    throw error;
  }
  if (of[HEADER_KIND].length === 0) refuse('invalid_request', 'The file is empty.');
  refuseTwice(of);
  return { from: of.organization[0]?.name ?? null, of, leftOut };
}

async function* chunksOf(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK_BYTES) {
    yield body.subarray(at, at + CHUNK_BYTES);
    await new Promise(setImmediate);
  }
}

const isRead = (kind: string): kind is ReadKind => (READ_KINDS as readonly string[]).includes(kind);

function lineOf(number: number, text: string): { kind: string; data: object } {
  let value: unknown;
  try {
    value = parseJsonBody(text);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // In words of a line: `parseJsonBody` speaks of a request.
    refuse(
      'invalid_request',
      error.message.includes('valid JSON')
        ? `Line ${number} is no JSON; the file may be damaged, or not an export.`
        : `Line ${number}: ${error.message}`,
    );
  }
  const { kind, data, ...rest } = (value ?? {}) as Record<string, unknown>;
  if (
    typeof kind !== 'string' ||
    typeof data !== 'object' ||
    data === null ||
    Array.isArray(data) ||
    Object.keys(rest).length > 0
  )
    refuse('invalid_request', `Line ${number} is not of the form {"kind": …, "data": {…}}.`);
  if (!Object.hasOwn(KINDS_OF_LINES, kind))
    refuse(
      'invalid_request',
      `Line ${number}: ${JSON.stringify(kind.slice(0, 100))} is no kind of line of an export.`,
    );
  return { kind, data };
}

function refuseBadLine(number: number, kind: ReadKind, data: object): void {
  const { format } = data as { format?: unknown };
  if (kind === HEADER_KIND && typeof format === 'number' && format > FORMAT)
    refuse(
      'invalid_request',
      `The file was written by a newer Tocsin (format ${format}; this one knows ${FORMAT}). Import it there, or upgrade.`,
    );
  const problem = problemOf(KINDS_OF_LINES[kind], data);
  if (problem) refuse('invalid_request', `Line ${number} (${kind}): ${problem}`);
}

function refuseMany(kind: ReadKind, count: number, pages: number): void {
  const most =
    kind === 'monitor'
      ? MAX_MONITORS
      : kind === 'status_page_monitor'
        ? MAX_SHOWN * Math.max(1, pages)
        : MAX_OTHERS;
  if (count > most)
    refuse(
      'payload_too_large',
      `The file has more than ${most} lines of the kind ${kind}, the most that are brought in at once. Use \`tocsin import\` on the command line of the installation.`,
      { limit: most },
    );
}

/** Two things with one id would be one thing to whatever names them. */
function refuseTwice(of: Given['of']): void {
  for (const kind of ['project', 'monitor', 'alert_profile', 'status_page'] as const) {
    const seen = new Set<string>();
    for (const { id } of of[kind]) {
      if (seen.has(id)) refuse('invalid_request', `The ${kind} ${id} is in the file twice.`);
      seen.add(id);
    }
  }
  for (const kind of ['organization', 'alarm_standard', 'on_call_settings', 'on_call_roster'] as const)
    if (of[kind].length > 1)
      refuse('invalid_request', `The file has more than one line of the kind ${kind}.`);
}
