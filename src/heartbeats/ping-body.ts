// What is sent along with a ping: kept as text, up to a bound, whatever it claims to be.
import type { Readable } from 'node:stream';

/** Kept of a body; the rest is read and forgotten. */
export const KEPT_BYTES = 10 * 1024;
/** Read at most; what is longer is cut off with the connection. */
const MOST_BYTES = 1024 * 1024;

export type PingBody = { text: string | null; isWhole: boolean };

/** Reads a body as UTF-8; `isWhole: false` when it was longer than is read at all. */
export async function readPingBody(payload: Readable): Promise<PingBody> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;
  let isWhole = true;
  // Not destroyed when it is left early: the answer goes over the same connection.
  const chunks: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    if (keptBytes < KEPT_BYTES) {
      const part = chunk.subarray(0, KEPT_BYTES - keptBytes);
      kept.push(part);
      keptBytes += part.length;
    }
    bytes += chunk.length;
    if (bytes > MOST_BYTES) {
      isWhole = false;
      break;
    }
  }
  return { text: textOf(Buffer.concat(kept), bytes > keptBytes), isWhole };
}

/** Without half a character at the cut, and without NUL, which PostgreSQL's text cannot hold; null: nothing was sent. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  const text = new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '').trim();
  return text === '' ? null : text;
}
