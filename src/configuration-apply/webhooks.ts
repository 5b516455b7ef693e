// Notification targets, by kind and name: only within these two is a target's name its own.
import { visibleName } from '../domain/visible-name.ts';
import { createWebhook } from '../notifications/contract.ts';
import { changedFields } from '../notifications/targets/changed-fields.ts';
import type { TargetRow } from '../notifications/targets/show-target.ts';
import { createTarget, deleteTarget, updateTarget } from '../notifications/targets/targets.ts';
import { checkedName } from '../platform/checked-name.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { type Applying, attempt, idNamed, leftOver, refuseTwice } from './applying.ts';
import type { DeclaredWebhook } from './contract.ts';

const keyOf = ({ kind, name }: { kind: string; name: string }) => `${kind} ${visibleName(name)}`;

/** Applies the section `webhooks`. Of a new webhook the report has the signing secret, this once. */
export async function applyWebhooks(applying: Applying): Promise<void> {
  const { work, orgId, options, file } = applying;
  if (file.webhooks === undefined) return;
  const rows = await work.tx
    .selectFrom('webhook_targets')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('id')
    .execute();
  const stored = Map.groupBy(rows, keyOf);
  const declared = new Set(file.webhooks.map(keyOf));
  for (const row of rows.filter((row) => !declared.has(keyOf(row))))
    await leftOver(applying, 'webhook', keyOf(row), () => deleteTarget(work, orgId, row.id));
  const seen = new Set<string>();
  for (const [i, { projects, ...fields }] of file.webhooks.entries())
    await attempt(applying, { kind: 'webhook', name: keyOf(fields), path: `webhooks.${i}` }, async () => {
      const body = { ...fields, name: checkedName(fields.name), ...routing(applying, projects) };
      validate(createWebhook.body!, body);
      refuseTwice(seen, keyOf(body), 'webhooks');
      const row = theOne(stored.get(keyOf(body)));
      if (!row) {
        const { secret } = await createTarget(work, orgId, body, options.targets);
        return { changed: null, ...(secret ? { secret } : {}) };
      }
      const asked = withoutSameProjects(applying, row, body);
      const changed = changedFields(row, asked, options.targets);
      const { kind: _, ...written } = asked;
      if (changed.length > 0) await updateTarget(work, orgId, row.id, written, options.targets);
      return { changed };
    });
}

function routing({ projects: known, file }: Applying, names: DeclaredWebhook['projects']) {
  if (names === undefined) return {};
  const of = { what: 'project', declared: file.projects };
  return { project_ids: names.map((name, i) => idNamed(known, name, { field: `projects.${i}`, ...of })) };
}

/** A target keeps the ids of deleted projects, which match nothing and have no name: they are no difference from the file. */
function withoutSameProjects<Body extends { project_ids?: string[] }>(
  { projects }: Applying,
  { project_ids: stored }: TargetRow,
  body: Body,
): Body {
  const { project_ids: asked = [], ...rest } = body;
  const existing = new Set(projects.values());
  const kept = new Set(stored.filter((id) => existing.has(id)));
  const isSame = asked.length > 0 && kept.symmetricDifference(new Set(asked)).size === 0;
  return isSame ? (rest as Body) : body;
}

function theOne(rows: TargetRow[] = []): TargetRow | undefined {
  if (rows.length > 1)
    refuse(
      'invalid_request',
      `The organization has ${rows.length} webhooks of this kind and name; rename all but one, and apply the file again.`,
      { field: 'name' },
    );
  return rows[0];
}
