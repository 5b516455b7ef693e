// Small images of every kind that a status page accepts as a logo: red, three pixels by two.
import { crc32, deflateSync } from 'node:zlib';

type Bytes = Buffer<ArrayBuffer>;
const bytes = (...parts: (string | Buffer)[]): Bytes =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
const uint32 = (value: number, endian: 'BE' | 'LE') => {
  const four = Buffer.alloc(4);
  if (endian === 'BE') four.writeUInt32BE(value);
  else four.writeUInt32LE(value);
  return four;
};

/** A chunk of a PNG file, with its checksum. */
export function pngChunk(type: string, data: Buffer): Bytes {
  const named = bytes(type, data);
  return bytes(uint32(data.length, 'BE'), named, uint32(crc32(named), 'BE'));
}

/** A PNG image of this size; large ones are still small files, since they have one colour. */
export function png(width = 3, height = 2, more: Buffer = Buffer.alloc(0)): Bytes {
  const header = bytes(uint32(width, 'BE'), uint32(height, 'BE'), '\x08\x00\x00\x00\x00');
  const pixels = deflateSync(Buffer.alloc((width + 1) * height));
  return bytes(
    '\x89PNG\r\n\x1a\n',
    pngChunk('IHDR', header),
    more,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  );
}

const base64 = (text: string): Bytes => Buffer.from(text, 'base64');

/** As Chromium encodes it. */
export const JPEG = base64(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxl' +
    'Z2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAACAAMDASIAAhEB' +
    'AxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAABAb/xAAUEQEAAAAAAAAAAAAA' +
    'AAAAAAAA/9oADAMBAAIRAxEAPwCOACqH/9k=',
);

/** A WebP file of these chunks. */
export function webp(...chunks: [type: string, data: Buffer][]): Bytes {
  const body = bytes(
    'WEBP',
    ...chunks.map(([type, data]) =>
      bytes(type, uint32(data.length, 'LE'), data, data.length % 2 ? '\0' : ''),
    ),
  );
  return bytes('RIFF', uint32(body.length, 'LE'), body);
}

/** The chunks that Chromium writes into a WebP file: lossy, lossless, and the transparency of a lossy one. */
export const VP8 = base64('kAEAnQEqAwACAALATCWgAnS6AAOYAP7tkD+IXextv/z0z+tv4/8ZAAAA');
export const VP8L = base64('LwJAAAAHUI8i16P/gYjofwA=');
export const ALPH = base64('AICAgICAgA==');
/** The header of a file with more than one chunk: three pixels by two. */
export const VP8X = bytes('\x30\0\0\0\x02\0\0\x01\0\0');

export const SVG = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 2"><path fill="#c81e1e" d="M0 0h3v2H0z"/></svg>\n',
);
