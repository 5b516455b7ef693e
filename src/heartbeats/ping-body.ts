// The body of a ping, kept as text up to a limit, whatever its content type.
import type { Readable } from 'node:stream';

/** Bytes kept of a body; the rest is read and discarded. */
export const KEPT_BYTES = 10 * 1024;
/** Bytes read of a body; for a longer one the connection is closed. */
const MAX_BYTES = 1024 * 1024;

export type PingBody = { text: string | null; isWhole: boolean };

/** Reads a body as UTF-8; `isWhole: false` when it exceeds the read limit. */
export async function readPingBody(payload: Readable): Promise<PingBody> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;
  let isWhole = true;
  // Leaving early must not destroy the stream: the response uses the same connection.
  const chunks: AsyncIterable<Buffer> = payload.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    if (keptBytes < KEPT_BYTES) {
      const part = chunk.subarray(0, KEPT_BYTES - keptBytes);
      kept.push(part);
      keptBytes += part.length;
    }
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      isWhole = false;
      break;
    }
  }
  return { text: textOf(Buffer.concat(kept), bytes > keptBytes), isWhole };
}

/** Drops a truncated last character, and NUL, which PostgreSQL cannot store. Null for an empty body. */
function textOf(bytes: Buffer, isCut: boolean): string | null {
  const text = new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\0', '').trim();
  return text === '' ? null : text;
}
