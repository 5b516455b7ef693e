// Webhook targets: what is written, how it reads, what is refused.
import { type Selectable, sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { EVENT_NAMES } from '../domain/names.ts';
import { verdict } from '../domain/network-policy.ts';
import { checkUrl } from '../domain/target.ts';
import { checkedName } from '../platform/checked-name.ts';
import type { BodyOf } from '../platform/contract.ts';
import type { DB } from '../platform/db/tables.ts';
import type { Page } from '../platform/http/page.ts';
import { newId } from '../platform/ids.ts';
import { refuseChangedReadOnly } from '../platform/read-only.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import type { createWebhook, updateWebhook, WebhookTarget } from './contract.ts';
import { secretContext } from './send.ts';
import { makeSecret, secretHint } from './signature.ts';

type Row = Selectable<DB['webhook_targets']>;

export type WebhookOptions = { vault: Vault; allowPrivate: boolean };

export function showTarget(row: Row): WebhookTarget {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    url: row.url,
    events: row.events,
    active: row.active,
    region: row.region,
    secret_hint: row.secret_hint,
    created_at_unix: unix(row.created_at),
    last_delivery_at_unix: unixOrNull(row.last_delivery_at),
    last_delivery_ok: row.last_delivery_ok,
    last_error: row.last_error,
  };
}

/** A target of an organization; 404 when unknown or another organization's. */
export async function targetOf(db: Database | Tx, orgId: string, targetId: string): Promise<Row> {
  const row = await db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', targetId)
    .executeTakeFirst();
  return row ?? notFound('webhook target');
}

async function lockTarget(tx: Tx, orgId: string, targetId: string): Promise<void> {
  await sql`SELECT 1 FROM webhook_targets WHERE id = ${targetId} AND org_id = ${orgId} FOR UPDATE`.execute(
    tx,
  );
}

export async function listTargets(
  db: Database,
  orgId: string,
  { limit, before }: Page,
): Promise<WebhookTarget[]> {
  let query = db.selectFrom('webhook_targets').selectAll().where('org_id', '=', orgId);
  if (before !== null) {
    const from = await query.where('id', '=', before).executeTakeFirst();
    if (!from) return notFound('webhook target');
    query = query.where('id', '>', from.id);
  }
  const rows = await query.orderBy('id').limit(limit).execute();
  return rows.map(showTarget);
}

/** Creates a target; the answer carries the signing secret, once. */
export async function createTarget(
  work: Work,
  orgId: string,
  body: BodyOf<typeof createWebhook>,
  { vault, allowPrivate }: WebhookOptions,
): Promise<WebhookTarget & { secret: string }> {
  const name = checkedName(body.name);
  if (body.kind !== 'webhook') refuse('invalid_request', 'kind must be webhook.', { field: 'kind' });
  const url = checkedUrl(body.url ?? undefined, allowPrivate);
  const events = checkedEvents(body.events);
  const id = newId('wht');
  const secret = makeSecret();
  const row = await work.tx
    .insertInto('webhook_targets')
    .values({
      id,
      org_id: orgId,
      name,
      kind: body.kind,
      url,
      events,
      active: body.active ?? true,
      secret_sealed: vault.seal(secret, secretContext(id)),
      secret_hint: secretHint(secret),
      created_at: work.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const shown = showTarget(row);
  await record(work, orgId, 'webhook.create', shown, undefined, shown);
  return { ...shown, secret };
}

/** Changes a target; omitted fields and nulls keep their value. An explicitly empty name is 400 (interface). */
export async function updateTarget(
  work: Work,
  orgId: string,
  targetId: string,
  body: BodyOf<typeof updateWebhook>,
  { allowPrivate }: WebhookOptions,
): Promise<WebhookTarget> {
  const { tx } = work;
  await lockTarget(tx, orgId, targetId);
  const before = showTarget(await targetOf(tx, orgId, targetId));
  const { name, url, events, active, ...readOnly } = body;
  refuseChangedReadOnly(readOnly, before);
  const row = await tx
    .updateTable('webhook_targets')
    .set({
      name: name == null ? before.name : checkedName(name),
      url: url == null || url === before.url ? before.url : checkedUrl(url, allowPrivate),
      events: events == null ? before.events : checkedEvents(events),
      active: active ?? before.active,
    })
    .where('id', '=', targetId)
    .returningAll()
    .executeTakeFirstOrThrow();
  const after = showTarget(row);
  await record(work, orgId, 'webhook.update', after, before, after);
  return after;
}

/** Deletes a target; what is queued for it is never sent. */
export async function deleteTarget(work: Work, orgId: string, targetId: string): Promise<void> {
  const { tx, now } = work;
  const before = showTarget(await targetOf(tx, orgId, targetId));
  // Of two who delete it at once, one did.
  const gone = await tx
    .deleteFrom('webhook_targets')
    .where('id', '=', targetId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) notFound('webhook target');
  await tx
    .updateTable('deliveries')
    .set({ state: 'cancelled', finished_at: now, next_attempt_at: null })
    .where('target_id', '=', targetId)
    .where('state', '=', 'pending')
    .execute();
  await record(work, orgId, 'webhook.delete', before, before, undefined);
}

/** Makes a new signing secret and returns it, once; the old one is void with this commit. */
export async function rotateSecret(
  work: Work,
  orgId: string,
  targetId: string,
  { vault }: WebhookOptions,
): Promise<string> {
  await lockTarget(work.tx, orgId, targetId);
  const target = await targetOf(work.tx, orgId, targetId);
  if (target.kind !== 'webhook')
    refuse(
      'not_rotatable',
      `A ${target.kind} target has no signing secret to rotate; change its credential instead.`,
    );
  const secret = makeSecret();
  await work.tx
    .updateTable('webhook_targets')
    .set({ secret_sealed: vault.seal(secret, secretContext(targetId)), secret_hint: secretHint(secret) })
    .where('id', '=', targetId)
    .execute();
  await record(work, orgId, 'webhook.rotate_secret', target, undefined, undefined);
  return secret;
}

async function record(
  work: Work,
  orgId: string,
  action: string,
  target: { id: string; name: string },
  before: unknown,
  after: unknown,
): Promise<void> {
  await recordActivity(work, {
    orgId,
    action,
    resource: { kind: 'webhook', id: target.id, name: target.name },
    before,
    after,
  });
}

function checkedUrl(url: string | undefined, allowPrivate: boolean): string {
  // Names are judged when they resolve, at connect time; here the form, and literal addresses.
  const checked = checkUrl(url ?? '', { schemes: ['http', 'https'], allowSingleLabel: allowPrivate });
  if (!checked.ok)
    refuse('invalid_target', `url is not a usable http or https address (${checked.reason}).`, {
      field: 'url',
      reason: checked.reason,
    });
  if (checked.url.username !== '' || checked.url.password !== '')
    refuse(
      'invalid_target',
      'url must not contain a user name or password; the signature identifies the sender.',
      { field: 'url' },
    );
  const ip = checked.url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (/^[0-9.]+$/.test(ip) || ip.includes(':')) {
    const judged = verdict(ip, { allowPrivate });
    if (!judged.allowed)
      refuse('invalid_target', `url is an address that this installation does not send to (${judged.why}).`, {
        field: 'url',
      });
  }
  return checked.url.href;
}

function checkedEvents(events: string[]): string[] {
  if (events.length === 0)
    refuse('invalid_request', 'events must name at least one event.', { field: 'events' });
  for (const event of events)
    if (!(EVENT_NAMES as readonly string[]).includes(event))
      refuse(
        'invalid_request',
        `events names ${JSON.stringify(event)}; events are ${EVENT_NAMES.join(', ')}.`,
        { field: 'events' },
      );
  return [...new Set(events)];
}
