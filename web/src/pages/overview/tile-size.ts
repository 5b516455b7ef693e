// The size of tiles, by their number. Pure.
export type TileSize = 'named' | 'large' | 'middle' | 'small';

export function tileSize(count: number): TileSize {
  if (count <= 48) return 'named';
  if (count <= 700) return 'large';
  return count <= 2000 ? 'middle' : 'small';
}
