import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import type { PageLanguage } from '../domain/names.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf } from '../platform/contract.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Tx, Work } from '../platform/work.ts';
import type { Organization, renameOrganization as operation } from './contract.ts';

/**
 * Changes the name or the language of an organization; the slug stays (docs/rules/access.md#organizations). `role` as GET
 * /me/organizations shows it, so that what was read there can be sent back. Refuses an empty name with `empty_name`.
 */
export async function updateOrganization(
  work: Work,
  orgId: string,
  body: BodyOf<typeof operation>,
  role: string | null,
): Promise<Organization> {
  const { tx } = work;
  if (body.name === undefined && body.language === undefined)
    refuse('invalid_request', 'name or language is required.', { field: 'name' });
  const { rows } = await sql<Organization>`
    SELECT id, name, slug, language FROM organizations WHERE id = ${orgId} FOR NO KEY UPDATE`.execute(tx);
  const [before] = rows;
  if (!before) notFound('organization');
  const { name: wanted, language = before.language, ...readOnly } = body;
  refuseChangedReadOnly(readOnly, { ...before, role });
  const name = wanted === undefined ? before.name : checkedName(wanted);
  const after = { ...before, name, language };
  await tx.updateTable('organizations').set({ name, language }).where('id', '=', orgId).execute();
  const resource = { kind: 'organization', id: orgId, name };
  if (wanted !== undefined)
    await recordActivity(work, { orgId, action: 'organization.rename', resource, before, after });
  if (language !== before.language)
    await recordActivity(work, {
      orgId,
      action: 'organization.set_language',
      resource,
      before: { language: before.language },
      after: { language },
    });
  return after;
}

/** The language of an organization's chats, and of people who chose none; English where it was deleted meanwhile. */
export async function languageOfOrganization(tx: Tx, orgId: string): Promise<PageLanguage> {
  const { rows } = await sql<{ language: PageLanguage }>`
    SELECT language FROM organizations WHERE id = ${orgId}`.execute(tx);
  return rows[0]?.language ?? 'en';
}
