/**
 * 32 bits of a text, evenly spread and the same everywhere and for ever: FNV-1a over the UTF-16 units, finished like
 * MurmurHash3, since FNV alone leaves the high bits uneven.
 */
export function hash32(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
