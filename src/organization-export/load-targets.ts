// Writes the notification targets of an export, their events and their deliveries.
import { sql } from 'kysely';
import { CHANNEL_FAMILIES } from '../domain/names.ts';
import { requeuePending } from '../notifications/delivery/queue.ts';
import { orderingKeyOf } from '../notifications/ordering-key.ts';
import { storedAddress } from '../notifications/targets/targets.ts';
import type { Vault } from '../platform/secrets.ts';
import { checkedTags } from '../platform/tags.ts';
import type { Work } from '../platform/work.ts';
import * as into from './columns.ts';
import type { DataOf, LineKind } from './format.ts';
import { insertRows } from './insert.ts';
import { BrokenLine, notInFile, within } from './read-lines.ts';
import { refusedAt } from './refused-at.ts';

type Loaded = { work: Work; vault: Vault; orgId: string; targets: Set<string> };
type LinesOf<K extends LineKind> = readonly { number: number; data: DataOf<K> }[];

/** `targets` takes their ids. */
export async function loadTargets(
  { work, vault, orgId, targets }: Loaded,
  lines: LinesOf<'webhook_target'>,
): Promise<void> {
  const rows = lines.map(({ number, data: { concerns: _, ...data } }) => {
    if (data.secret === null && CHANNEL_FAMILIES[data.kind] !== 'chat')
      throw new BrokenLine(number, `a ${data.kind} target needs its secret.`);
    return {
      ...data,
      project_ids: data.project_ids ?? [],
      tags: refusedAt(number, () => checkedTags(data.tags ?? [])),
      min_severity: data.min_severity ?? 'degraded',
      org_id: orgId,
      ...storedAddress(data.kind, data.id, data.url, data.secret, { vault }),
    };
  });
  await insertRows(work.tx, 'webhook_targets', into.TARGET, rows);
  const concerns = lines.flatMap(({ data }) =>
    (data.concerns ?? []).map(({ id, concerned }) => ({
      about_id: id,
      target_id: data.id,
      org_id: orgId,
      concerned,
    })),
  );
  await insertRows(work.tx, 'target_concerns', into.CONCERN, concerns);
  for (const { id } of rows) targets.add(id);
}

export async function loadEvents({ work, orgId }: Loaded, lines: LinesOf<'webhook_event'>): Promise<void> {
  const ids = lines.map(({ data }) => data.id);
  // The table's key includes the time: the same id at another time would be a second body for one event.
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM outbox WHERE id = ANY(${ids}) AND org_id <> ${orgId} LIMIT 1`.execute(work.tx);
  const duplicate = lines.find(({ data }) => data.id === rows[0]?.id);
  if (duplicate)
    throw new BrokenLine(duplicate.number, `the event ${duplicate.data.id} already exists here.`);
  const events = lines.map(({ data }) => ({ ...data, org_id: orgId }));
  await insertRows(work.tx, 'outbox', into.EVENT, events);
}

export async function loadDeliveries(
  { work, orgId, targets }: Loaded,
  lines: LinesOf<'delivery'>,
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, targets, data.target_id, 'target_id');
    return { ...data, org_id: orgId, lane: orderingKeyOf(data.target_id, data.incident_id) };
  });
  const { rows: strange } = await sql<{ id: string }>`
    SELECT given.id FROM unnest(${rows.map(({ event_id }) => event_id)}::text[]) AS given (id)
    WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.id = given.id AND o.org_id = ${orgId}) LIMIT 1`.execute(
    work.tx,
  );
  const stranger = lines.find(({ data }) => data.event_id === strange[0]?.id);
  if (stranger) throw notInFile(stranger.number, stranger.data.event_id, 'event_id');
  await insertRows(work.tx, 'deliveries', into.DELIVERY, rows);
  await requeuePending(
    work,
    rows.filter(({ state }) => state === 'pending').map(({ id }) => id),
  );
}
