// Browser-safe. Decodes what a UDP check sends and expects (docs/rules/monitor-types.md#udp).

/** Fits into one packet on every common path: larger ones are lost where fragments are dropped. */
export const DATAGRAM_BYTES = 1400;

/** Decodes a text; null if it is not valid in this encoding. Hex takes pairs of digits, base64 the alphabet of RFC 4648 with its padding. */
export function bytesOf(text: string, encoding: 'text' | 'hex' | 'base64'): Uint8Array | null {
  switch (encoding) {
    case 'text':
      return new TextEncoder().encode(text);
    case 'hex':
      return read(() => Uint8Array.fromHex(text));
    case 'base64':
      return read(() => Uint8Array.fromBase64(text, { lastChunkHandling: 'strict' }));
  }
}

function read(decode: () => Uint8Array): Uint8Array | null {
  try {
    return decode();
  } catch {
    return null;
  }
}
