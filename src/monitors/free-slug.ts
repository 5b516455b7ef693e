import { slugFrom } from '../domain/slug.ts';
import type { Tx } from '../platform/work.ts';

/** A slug that is free in the project: if another monitor has it, a number is added. */
export async function freeSlug(tx: Tx, projectId: string, name: string): Promise<string> {
  const base = slugFrom(name).slice(0, 57).replace(/-$/, '') || 'monitor';
  const rows = await tx
    .selectFrom('monitors')
    .select('slug')
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('slug', '=', base), eb('slug', 'like', `${base}-%`)]))
    .execute();
  const slugs = new Set(rows.map((row) => row.slug));
  if (!slugs.has(base)) return base;
  let n = 2;
  while (slugs.has(`${base}-${n}`)) n++;
  return `${base}-${n}`;
}
