// Reads PNG, JPEG and WebP files from their first byte to their last. The structure must be complete, and nothing may follow
// it: a file that continues after its image is something else as well.
import { crc32 } from 'node:zlib';

export type Size = { width: number; height: number };

const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export const isPng = (bytes: Buffer) => bytes.subarray(0, 8).equals(PNG);
export const isJpeg = (bytes: Buffer) => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;
export const isWebp = (bytes: Buffer) =>
  bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';

/** Size of a complete PNG file; null if it is none. */
export function pngSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = PNG.length; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) return null;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at === PNG.length) {
      if (type !== 'IHDR' || length !== 13) return null;
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    hasPixels ||= type === 'IDAT';
    if (type === 'IEND') return end === bytes.length && hasPixels ? size : null;
    at = end;
  }
  return null;
}

const SCAN = 0xda;
const END = 0xd9;
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
/** C4, C8 and CC are tables and extensions in this range. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Size of a complete JPEG file; null if it is none. */
export function jpegSize(bytes: Buffer): Size | null {
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = 2; at + 2 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1; // a fill byte
      continue;
    }
    if (marker === END) return at + 2 === bytes.length && hasPixels ? size : null;
    if (marker < 0xc0 || marker === 0xd8 || isRestart(marker) || at + 4 > bytes.length) return null;
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) return null;
    if (isFrame(marker)) {
      if (size !== null || length < 8) return null;
      size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    }
    at = end;
    if (marker !== SCAN) continue;
    if (size === null) return null;
    hasPixels = true;
    at = endOfScan(bytes, at);
  }
  return null;
}

/** The position of the next marker: inside a scan, FF is followed by 0, or by the number of a restart. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !isRestart(next)) return at;
  }
  return bytes.length;
}

/** Size of a complete WebP file; null if it is none. */
export function webpSize(bytes: Buffer): Size | null {
  const announced = bytes.length < 20 ? -1 : bytes.readUInt32LE(4);
  if (8 + announced + (announced % 2) !== bytes.length) return null;
  let size: Size | null = null;
  let hasPixels = false;
  for (let at = 12; at < bytes.length; ) {
    if (at + 8 > bytes.length) return null;
    const type = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
    if (data.length !== length || at > bytes.length) return null;
    size ??= webpChunkSize(type, data);
    if (size === null) return null;
    hasPixels ||= type === 'VP8 ' || type === 'VP8L' || type === 'ANMF';
  }
  return hasPixels ? size : null;
}

/** The size in the first chunk; null if no file begins with such a chunk. */
function webpChunkSize(type: string, data: Buffer): Size | null {
  if (data.length < 10 && !(type === 'VP8L' && data.length >= 5)) return null;
  switch (type) {
    case 'VP8 ':
      if (data.readUIntBE(3, 3) !== 0x9d012a) return null;
      return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
    case 'VP8L': {
      if (data[0] !== 0x2f) return null;
      const bits = data.readUInt32LE(1);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    default:
      return null;
  }
}
