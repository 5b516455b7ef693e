import type { Transform } from 'node:stream';
import { isZlib } from './content.ts';

/**
 * Decompresses the first bytes of a truncated body as far as possible; null for an encoding other than gzip, deflate and br,
 * and for an empty result. Never produces more bytes than asked for.
 */
export async function unpackBeginning(
  sent: Buffer,
  contentEncoding: string | undefined,
  most: number,
): Promise<{ bytes: Buffer; complete: boolean } | null> {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  if (encoding === '' || encoding === 'identity')
    return { bytes: sent.subarray(0, most), complete: sent.length <= most };
  const zlib = await import('node:zlib');
  // The end of the input is usually missing; the output up to there is valid.
  const cut = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const by: Readonly<Record<string, () => Transform>> = {
    gzip: () => zlib.createGunzip(cut),
    'x-gzip': () => zlib.createGunzip(cut),
    br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
    deflate: () => (isZlib(sent) ? zlib.createInflate(cut) : zlib.createInflateRaw(cut)),
  };
  const make = Object.hasOwn(by, encoding) ? by[encoding] : undefined;
  if (make === undefined) return null;
  const unpacked = await firstOf(make(), sent, most);
  return unpacked.bytes.length === 0 ? null : unpacked;
}

function firstOf(
  stream: Transform,
  sent: Buffer,
  most: number,
): Promise<{ bytes: Buffer; complete: boolean }> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (complete: boolean) => {
      stream.destroy();
      resolve({ bytes: Buffer.concat(chunks).subarray(0, most), complete: complete && size <= most });
    };
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > most) end(false);
    });
    stream.once('error', () => end(false));
    stream.once('end', () => end(true));
    stream.end(sent);
  });
}
