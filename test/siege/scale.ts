// How hard the attacks of this folder hit: short in `npm test`, whole in `npm run siege`.

/** Whether the whole attack is asked for. */
export const WHOLE = process.env.TOCSIN_SIEGE === 'whole';

/** A number of an attack: `short` in `npm test`, `whole` in `npm run siege`. */
export function scaled(short: number, whole: number): number {
  return WHOLE ? whole : short;
}
