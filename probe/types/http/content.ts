import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { type BodyLimits, bodyTooLarge, noRoom } from './exchange.ts';

/**
 * The decompressed body (one content-encoding: gzip, deflate or br), limited in size, with the charset from its content-type.
 * Throws OutboundFailure.
 */
export async function plainBody(
  body: Buffer,
  contentEncoding: string | undefined,
  contentType: string | undefined,
  limits: BodyLimits,
): Promise<{ bytes: Buffer; charset: string | undefined }> {
  const encoding = (contentEncoding ?? '').trim().toLowerCase();
  const bytes =
    encoding === '' || encoding === 'identity' || body.length === 0
      ? body
      : await decompress(body, encoding, limits);
  return { bytes, charset: /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] };
}

type Undo = (
  body: Buffer,
  options: { maxOutputLength: number },
  done: (error: Error | null, plain: Buffer) => void,
) => void;

/** The largest expansion factor of deflate. Brotli's is larger; the size limit stops it. */
const MAX_EXPANSION = 1032;

async function decompress(body: Buffer, encoding: string, limits: BodyLimits): Promise<Buffer> {
  const { maxBodyBytes, reservation } = limits;
  const most = encoding === 'br' ? maxBodyBytes : Math.min(maxBodyBytes, MAX_EXPANSION * body.length);
  if (!reservation.take(most)) throw noRoom();
  const plain = await undone(body, encoding, maxBodyBytes);
  reservation.give(most - plain.length);
  return plain;
}

async function undone(body: Buffer, encoding: string, maxBodyBytes: number): Promise<Buffer> {
  const { brotliDecompress, gunzip, inflate, inflateRaw } = await import('node:zlib');
  const by: Readonly<Record<string, Undo>> = {
    gzip: gunzip,
    'x-gzip': gunzip,
    br: brotliDecompress,
    deflate: isZlib(body) ? inflate : inflateRaw,
  };
  const undo = Object.hasOwn(by, encoding) ? by[encoding] : undefined;
  if (undo === undefined)
    throw new OutboundFailure(
      'invalid_response',
      'target_http',
      encoding.includes(',')
        ? 'The body has more than one content-encoding'
        : 'The body has a content-encoding other than gzip, deflate and br',
    );
  return new Promise((resolve, reject) => {
    undo(body, { maxOutputLength: maxBodyBytes }, (error, plain) => {
      if (!error) return resolve(plain);
      if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') return reject(bodyTooLarge(maxBodyBytes));
      reject(
        new OutboundFailure(
          'invalid_response',
          'target_http',
          `The body could not be decompressed (${encoding})`,
        ),
      );
    });
  });
}

/** Whether a body has a zlib header: "deflate" means zlib in RFC 9110, but some servers send a raw stream. */
export const isZlib = (body: Buffer) =>
  body.length >= 2 && ((body[0] ?? 0) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0;
