import { notFound } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';

/** Stands for "no region": monitors that no probe checks. Its slug is empty. */
export const NO_REGION = 0;

/** A region by its slug; 404 if there is none. */
export async function findRegion(db: Database | Tx, slug: string) {
  const region = await db
    .selectFrom('regions')
    .selectAll()
    .where('slug', '=', slug)
    .where('no', '<>', NO_REGION)
    .executeTakeFirst();
  return region ?? notFound('region');
}
