// The strength of the attacks of this folder: short in `npm test`, whole in `npm run siege`.

/** Whether the whole attack is requested. */
export const WHOLE = process.env.TOCSIN_SIEGE === 'whole';

/** A number of an attack: `short` in `npm test`, `whole` in `npm run siege`. */
export function scaled(short: number, whole: number): number {
  return WHOLE ? whole : short;
}
