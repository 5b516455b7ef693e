import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { PageLanguage } from '../domain/names.ts';
import { slugFrom } from '../domain/slug.ts';
import { checkedName } from '../platform/checked-name.ts';
import { newId } from '../platform/ids.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { Organization } from './contract.ts';

export type CreateOptions = { plan: string; perUser: number };

/**
 * Creates an organization owned by `userId`.
 * Refuses with `empty_name`, `empty_slug`, `organization_limit` (owned organizations of the user) and `slug_taken`.
 */
export async function createOrganization(
  work: Work,
  userId: string,
  name: string,
  { plan, perUser }: CreateOptions,
): Promise<Organization> {
  const { tx, now } = work;
  const trimmed = checkedName(name);
  const slug = slugFrom(trimmed);
  if (slug === '')
    refuse('empty_slug', 'name must contain a letter or a digit that can be written as a to z or 0 to 9.', {
      field: 'name',
    });

  // Counts under the user's lock, so the second of two requests for the last place waits and is refused.
  const { rows } = await sql<{ language: PageLanguage | null }>`
    SELECT language FROM users WHERE id = ${userId} FOR UPDATE`.execute(tx);
  const language = rows[0]?.language ?? 'en';
  const owned = await tx
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  if (Number(owned.count) >= perUser)
    refuse(
      'organization_limit',
      `You already own ${owned.count} organizations, the most this installation allows.`,
      {
        limit: perUser,
      },
    );

  const made = await tx
    .insertInto('organizations')
    .values({ id: newId('org'), name: trimmed, slug, plan, language, created_at: now })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returning(['id', 'name', 'slug'])
    .executeTakeFirst();
  if (!made)
    refuse('slug_taken', `name gives the slug ${slug}, which another organization has already.`, {
      field: 'name',
    });
  const organization = { ...made, language };
  await tx
    .insertInto('members')
    .values({ org_id: organization.id, user_id: userId, role: 'owner', joined_at: now })
    .execute();
  await logPrivateResponses(work);
  await recordActivity(work, {
    orgId: organization.id,
    action: 'organization.create',
    resource: { kind: 'organization', id: organization.id, name: trimmed },
    after: organization,
  });
  return organization;
}

/**
 * From the second organization on, answers of private targets are kept no longer unless the operator decided
 * (docs/rules/regions-and-probes.md#private-responses): the log of the installation says so. Call it behind the insert of an organization.
 */
export async function logPrivateResponses(work: Work): Promise<void> {
  const { rows } = await sql<{ slug: string; name: string }>`
    SELECT slug, name FROM regions
    WHERE slug = 'local' AND allow_private_targets AND private_responses_choice IS NULL
      AND (SELECT count(*) FROM (SELECT FROM organizations LIMIT 3) three) = 2`.execute(work.tx);
  for (const { slug, name } of rows)
    await recordActivity(work, {
      orgId: null,
      action: 'region.update',
      resource: { kind: 'region', id: slug, name },
      before: { keep_private_responses: true },
      after: { keep_private_responses: false },
    });
}
