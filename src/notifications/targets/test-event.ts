import { recordActivity } from '#src/activity/record.ts';
import type { ChannelName } from '#src/domain/names.ts';
import { languageOfOrganization } from '#src/organizations/update.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { type PerMinute, perMinute } from '#src/platform/http/per-minute.ts';
import type { Call } from '#src/platform/http/route.ts';
import { newId } from '#src/platform/ids.ts';
import type { testWebhook } from '../contract.ts';
import { type SendOptions, sendMessage } from '../delivery/send.ts';
import { renderBody } from '../event-body.ts';
import { readOrganization } from '../outbox.ts';
import { targetOf } from './show-target.ts';

/** For each target: the receiver did not ask for tests. */
export const TESTS_PER_MINUTE = 10;

/** Counts by target. */
export const makeTestLimit = (): PerMinute =>
  perMinute(
    TESTS_PER_MINUTE,
    `A target may be sent ${TESTS_PER_MINUTE} tests a minute; wait for the next one.`,
  );

/**
 * Sends a `test` event now, in the form of the target's channel, and answers the outcome. It is not retried and is not listed
 * as a delivery. One that arrives resets the target's health.
 */
export async function sendTestEvent(
  call: Call<typeof testWebhook>,
  options: SendOptions & { limit: PerMinute | null },
): Promise<ReplyOf<typeof testWebhook>> {
  const { resource, params } = call;
  await options.limit?.count(params.target_id);
  const { target, organization, language } = await call.work(async ({ tx }) => ({
    target: await targetOf(tx, resource.orgId, params.target_id),
    organization: await readOrganization(tx, resource.orgId),
    language: await languageOfOrganization(tx, resource.orgId),
  }));
  const body = renderBody(newId('evt'), call.now, {
    event: 'test',
    organization,
    project: null,
    monitor: null,
    incident: null,
    test: true,
  });
  const { outcome, statusCode, error, latencyMs } = await sendMessage(options, {
    deliveryId: newId('dlv'),
    attempt: 1,
    events: [{ body, actor: null }],
    group: null,
    target: {
      id: target.id,
      kind: target.kind as ChannelName,
      url: target.url,
      secretSealed: target.secret_sealed,
      language,
    },
  });
  const ok = outcome.kind === 'delivered';
  const at = options.clock();
  await call.work(async (work) => {
    const kept = await work.tx
      .updateTable('webhook_targets')
      .set({
        last_delivery_at: at,
        last_delivery_ok: ok,
        last_error: error,
        ...(ok ? { failing_since: null, recent_failures: [], warned_at: null } : {}),
      })
      .where('id', '=', target.id)
      .returning('id')
      .executeTakeFirst();
    // The target may have been deleted meanwhile, perhaps with its organization: then nothing is recorded.
    if (!kept) return;
    await recordActivity(work, {
      orgId: resource.orgId,
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
