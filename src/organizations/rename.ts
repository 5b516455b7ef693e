import { recordActivity } from '../activity/record.ts';
import { checkedName } from '../platform/checked-name.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import type { Organization } from './contract.ts';

/** `role` as GET /me/organizations shows it, so that what was read there can be sent back. */
export type RenameOrganization = { name: string; id?: string; slug?: string; role?: string | null };

/** Renames an organization; the slug stays (docs/rules/access.md#organizations). Refuses an empty name with `empty_name`. */
export async function renameOrganization(
  work: Work,
  orgId: string,
  body: RenameOrganization,
  role: string | null,
): Promise<Organization> {
  const { tx } = work;
  const before = await tx
    .selectFrom('organizations')
    .select(['id', 'name', 'slug'])
    .where('id', '=', orgId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!before) notFound('organization');
  const { name, ...readOnly } = body;
  refuseChangedReadOnly(readOnly, { ...before, role });
  const trimmed = checkedName(name);
  const after = { ...before, name: trimmed };
  await tx.updateTable('organizations').set({ name: trimmed }).where('id', '=', orgId).execute();
  await recordActivity(work, {
    orgId,
    action: 'organization.rename',
    resource: { kind: 'organization', id: orgId, name: trimmed },
    before,
    after,
  });
  return after;
}
