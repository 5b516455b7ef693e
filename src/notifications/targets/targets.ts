// Writes notification targets.
import { sql } from 'kysely';
import { recordActivity } from '#src/activity/record.ts';
import { CHANNEL_NAMES, type ChannelName } from '#src/domain/names.ts';
import { maskedAddress } from '#src/domain/secret-hint.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import { checkedName } from '#src/platform/checked-name.ts';
import type { BodyOf, ReplyOf } from '#src/platform/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { refuseChangedReadOnly } from '#src/platform/read-only.ts';
import { notFound, refuse } from '#src/platform/refusals.ts';
import { refuseBeyond } from '#src/platform/refuse-beyond.ts';
import type { Vault } from '#src/platform/secrets.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import { makeSecret } from '../channels/signature.ts';
import type { createWebhook, updateWebhook, WebhookTarget } from '../contract.ts';
import { cancelWaiting } from '../delivery/queue.ts';
import { isChat, secretContext } from '../delivery/send.ts';
import type { AddressOptions } from './checked-address.ts';
import { checkedEvents, checkedKind, endpointOf, hintOf } from './checked-target.ts';
import { checkedRouting, decideForEarlierSubjects, forgetConcerns, isForEverything } from './routing.ts';
import { showTarget, targetOf } from './show-target.ts';

export type TargetOptions = AddressOptions & { vault: Vault };

/** The most targets of an organization: each event is a delivery to every one of them. */
export const MAX_TARGETS = 200;

/** Channels whose address is the secret. */
export const CHAT_KINDS = CHANNEL_NAMES.filter(isChat);

async function lockTarget(tx: Tx, orgId: string, targetId: string): Promise<void> {
  await sql`SELECT 1 FROM webhook_targets WHERE id = ${targetId} AND org_id = ${orgId} FOR UPDATE`.execute(
    tx,
  );
}

/**
 * Creates a target. For a webhook the reply contains the signing secret, this once. 409 `limit_reached` above
 * MAX_TARGETS.
 */
export async function createTarget(
  work: Work,
  orgId: string,
  body: BodyOf<typeof createWebhook>,
  options: TargetOptions,
): Promise<ReplyOf<typeof createWebhook>> {
  const name = checkedName(body.name);
  const kind = checkedKind(body.kind);
  const { url, region, credential } = endpointOf(kind, body, null, options);
  const events = checkedEvents(body.events);
  const routing = await checkedRouting(work.tx, orgId, body, null);
  if (!isForEverything(routing)) await lockOrganization(work.tx, orgId);
  await refuseBeyond(work.tx, orgId, {
    table: 'webhook_targets',
    lock: 'webhook targets',
    max: MAX_TARGETS,
    message: `This organization has ${MAX_TARGETS} webhook targets, which is the maximum; delete one that is no longer used.`,
  });
  const id = newId('wht');
  const signing = kind === 'webhook' ? makeSecret() : null;
  const row = await work.tx
    .insertInto('webhook_targets')
    .values({
      id,
      org_id: orgId,
      name,
      kind,
      region,
      events,
      active: body.active ?? true,
      off_since: body.active === false ? work.now : null,
      ...routing,
      ...storedAddress(kind, id, url, signing ?? credential, options),
      created_at: work.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await decideForEarlierSubjects(work, orgId, null, row);
  const shown = showTarget(row);
  await record(work, orgId, 'webhook.create', shown, undefined, shown);
  return signing === null ? shown : { ...shown, secret: signing };
}

/** Address and secret as they are stored. The address of a chat is sealed; only its host and its last characters are shown. */
export function storedAddress(
  kind: ChannelName,
  id: string,
  url: string,
  secret: string | null,
  { vault }: { vault: Vault },
) {
  if (!isChat(kind)) return { url, ...sealed(kind, id, secret, { vault }) };
  return { url: maskedAddress(url), secret_sealed: vault.seal(url, secretContext(id)), secret_hint: '' };
}

/** A secret as it is stored: sealed, with a hint. */
function sealed(kind: ChannelName, id: string, secret: string | null, { vault }: { vault: Vault }) {
  return {
    secret_sealed: secret === null ? null : vault.seal(secret, secretContext(id)),
    secret_hint: hintOf(kind, secret),
  };
}

/** Changes a target; omitted fields and nulls keep their value. An explicitly empty name is 400. */
export async function updateTarget(
  work: Work,
  orgId: string,
  targetId: string,
  body: BodyOf<typeof updateWebhook>,
  options: TargetOptions,
): Promise<WebhookTarget> {
  const { tx } = work;
  // Nobody opens an incident meanwhile, which this target would receive by its old routing or its new one.
  await lockOrganization(tx, orgId);
  await lockTarget(tx, orgId, targetId);
  const stored = await targetOf(tx, orgId, targetId);
  const before = showTarget(stored);
  const { name, url, credential, region, events, active, project_ids, tags, min_severity, ...readOnly } =
    body;
  refuseChangedReadOnly(readOnly, before);
  const newName = name == null ? before.name : checkedName(name);
  const kind = checkedKind(before.kind);
  const pointed = endpointOf(kind, { url, credential, region }, before, options);
  const isMended =
    (active === true && !before.active) || pointed.url !== before.url || pointed.credential !== null;
  const row = await tx
    .updateTable('webhook_targets')
    .set({
      name: newName,
      url: pointed.url,
      region: pointed.region,
      events: events == null ? before.events : checkedEvents(events),
      active: active ?? before.active,
      // Its failures so far are no reason to switch it off: administrators are mailed again, and have a day from then.
      ...(isMended ? { warned_at: null } : {}),
      off_since: (active ?? before.active) ? null : before.active ? work.now : stored.off_since,
      ...(await checkedRouting(tx, orgId, { project_ids, tags, min_severity }, before)),
      ...(pointed.credential === null ? {} : sealed(kind, targetId, pointed.credential, options)),
      ...(isChat(kind) && pointed.url !== before.url
        ? storedAddress(kind, targetId, pointed.url, null, options)
        : {}),
    })
    .where('id', '=', targetId)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (!row.active) await cancelWaiting(work, targetId);
  await decideForEarlierSubjects(work, orgId, stored, row);
  const after = showTarget(row);
  await record(work, orgId, 'webhook.update', after, before, after);
  return after;
}

/** Deletes a target; its pending deliveries are never sent. */
export async function deleteTarget(work: Work, orgId: string, targetId: string): Promise<void> {
  const { tx } = work;
  // Before the target, as a change of it does: the log's entry locks it otherwise, in the reverse order.
  await lockOrganization(tx, orgId);
  const before = showTarget(await targetOf(tx, orgId, targetId));
  // Of two requests at once, one deletes it and the other gets 404.
  const gone = await tx
    .deleteFrom('webhook_targets')
    .where('id', '=', targetId)
    .returning('id')
    .executeTakeFirst();
  if (!gone) notFound('webhook target');
  await cancelWaiting(work, targetId);
  await forgetConcerns(work, targetId);
  await record(work, orgId, 'webhook.delete', before, before, undefined);
}

/** Replaces the signing secret of a webhook and returns the new one, once. The old one is invalid from this commit on. */
export async function rotateSecret(
  work: Work,
  orgId: string,
  targetId: string,
  options: TargetOptions,
): Promise<string> {
  await lockOrganization(work.tx, orgId);
  await lockTarget(work.tx, orgId, targetId);
  const target = await targetOf(work.tx, orgId, targetId);
  if (target.kind !== 'webhook')
    refuse('not_rotatable', `A target of kind ${target.kind} has no signing secret to rotate.`);
  const secret = makeSecret();
  await work.tx
    .updateTable('webhook_targets')
    .set(sealed('webhook', targetId, secret, options))
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
  before: WebhookTarget | undefined,
  after: WebhookTarget | undefined,
): Promise<void> {
  await recordActivity(work, {
    orgId,
    action,
    resource: { kind: 'webhook', id: target.id, name: target.name },
    before,
    after,
  });
}
