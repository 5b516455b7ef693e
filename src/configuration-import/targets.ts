// Notification targets, switched off: a copy of an organization must not page anybody before somebody has looked at it.
import { createWebhook } from '../notifications/contract.ts';
import { isChat } from '../notifications/delivery/send.ts';
import { createTarget } from '../notifications/targets/targets.ts';
import type { DataOf } from '../organization-export/format.ts';
import { checkedName } from '../platform/checked-name.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { attempt, type Importing, type Note } from './importing.ts';
import { named } from './monitors.ts';

export async function importTargets(importing: Importing): Promise<void> {
  const { work, orgId, given, options } = importing;
  const rows = await work.tx
    .selectFrom('webhook_targets')
    .select(['kind', 'name'])
    .where('org_id', '=', orgId)
    .execute();
  // Read before the import, so that two of the file with the same name are both imported.
  const existing = new Set(rows.map(({ kind, name }) => `${kind} ${name}`));
  for (const line of given.webhook_target)
    await attempt(importing, 'webhook_target', line.name, async () => {
      const name = checkedName(line.name);
      if (existing.has(`${line.kind} ${name}`)) return { exists: true };
      const { routing, notes } = routingOf(importing, line);
      const body = {
        name,
        kind: line.kind,
        events: line.events,
        active: false,
        ...routing,
        ...pointing(line),
      };
      validate(createWebhook.body!, body);
      await createTarget(work, orgId, body as never, options.targets);
      return { notes: line.kind === 'webhook' ? [...notes, 'new_secret'] : notes };
    });
}

/** What it asks for, by the ids of this organization. One whose projects are all unknown is refused: it would receive those of every project. */
function routingOf({ projects }: Importing, line: DataOf<'webhook_target'>) {
  const asked = line.project_ids ?? [];
  const known = named(projects, asked);
  if (asked.length > 0 && known.length === 0)
    refuse('invalid_request', 'project_ids names no project of the file.', { field: 'project_ids' });
  const notes: Note[] = known.length < asked.length ? ['references_left_out'] : [];
  const routing = {
    project_ids: known,
    tags: line.tags ?? [],
    min_severity: line.min_severity ?? 'degraded',
  };
  return { routing, notes };
}

/** A paging target has the key of its integration; a webhook gets a signing secret of its own, like every new one. */
function pointing({ kind, url, region, secret }: DataOf<'webhook_target'>) {
  return kind === 'webhook' || isChat(kind) ? { url } : { credential: secret, region };
}
