import { recordActivity } from '../activity/record.ts';
import type { ReplyOf } from '../platform/contract.ts';
import type { Call } from '../platform/http/mount.ts';
import { newId } from '../platform/ids.ts';
import type { Vault } from '../platform/secrets.ts';
import type { testWebhook } from './contract.ts';
import { readOrganization } from './enqueue.ts';
import { renderBody } from './event-body.ts';
import { type Send, sendSigned } from './send.ts';
import { targetOf } from './targets.ts';

/** Sends a real signed `test` event now and says what came of it. Nothing is retried. */
export async function sendTestEvent(
  call: Call<typeof testWebhook>,
  options: { vault: Vault; send: Send; clock: () => Date },
): Promise<ReplyOf<typeof testWebhook>> {
  const { subject, params } = call;
  const eventId = newId('evt');
  const { target, organization } = await call.work(async ({ tx }) => ({
    target: await targetOf(tx, subject.orgId, params.target_id),
    organization: await readOrganization(tx, subject.orgId),
  }));
  const body = renderBody(eventId, call.now, {
    event: 'test',
    organization,
    project: null,
    monitor: null,
    incident: null,
    test: true,
  });
  const { outcome, statusCode, error, latencyMs } = await sendSigned(options, {
    deliveryId: newId('dlv'),
    attempt: 1,
    eventId,
    event: 'test',
    body,
    target: { id: target.id, url: target.url, secretSealed: target.secret_sealed ?? '' },
  });
  const ok = outcome.kind === 'delivered';
  const at = options.clock();
  await call.work(async (work) => {
    const kept = await work.tx
      .updateTable('webhook_targets')
      .set({ last_delivery_at: at, last_delivery_ok: ok, last_error: error })
      .where('id', '=', target.id)
      .returning('id')
      .executeTakeFirst();
    // Deleted while it was being sent, perhaps with its organization: nothing is written about it any more.
    if (!kept) return;
    await recordActivity(work, {
      orgId: subject.orgId,
      action: 'webhook.test',
      resource: { kind: 'webhook', id: target.id, name: target.name },
      after: { ok, error },
    });
  });
  return {
    ok,
    latency_ms: latencyMs,
    ...(statusCode === null ? {} : { status_code: statusCode }),
    ...(error === null ? {} : { error }),
  };
}
