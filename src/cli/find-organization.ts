// Finds an organization by its name on a command line.
import { nearest } from '../domain/nearest.ts';
import type { Database } from '../platform/work.ts';

export type NamedOrganization = { id: string; name: string; slug: string };

/** The organization with this id or slug. Throws a sentence that names the nearest slug, or the command that lists them. */
export async function findOrganization(db: Database, idOrSlug: string): Promise<NamedOrganization> {
  const columns = ['id', 'name', 'slug'] as const;
  const found = await db
    .selectFrom('organizations')
    .select(columns)
    .where((eb) => eb.or([eb('id', '=', idOrSlug), eb('slug', '=', idOrSlug)]))
    .executeTakeFirst();
  if (found) return found;
  const slugs = (await db.selectFrom('organizations').select('slug').orderBy('slug').execute()).map(
    ({ slug }) => slug,
  );
  const meant = nearest(idOrSlug, slugs);
  const hint = meant ? ` Did you mean ${meant}?` : ' tocsin plan lists all organizations.';
  throw new Error(`There is no organization "${idOrSlug}".${hint}`);
}
