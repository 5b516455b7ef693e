// Deliveries a second: stored events on their way to webhook targets, beside bare posts of the same bytes.

import { enqueueEvents } from '../src/notifications/outbox.ts';
import { runWork, SYSTEM } from '../src/platform/work.ts';
import { incidentPayload } from '../test/harness/enqueued-events.ts';
import { startChild } from './child.ts';
import { type Context, count, type Row, type RunBench, times } from './figure.ts';
import { type Hooks, startHooks } from './hooks.ts';
import { type Subject, startSubject } from './subject.ts';

export type BarePostsOrder = { url: string; body: string; howMany: number; atOnce: number };

/** Concurrent messages of the delivery worker to one target. */
const MESSAGES_A_TARGET = 4;

export const deliveries: RunBench = async (context) => {
  const howMany = context.quick ? 1_000 : 10_000;
  const hooks = await startHooks(context);
  const subject = await startSubject(context);
  const rows: Row[] = [];
  let targets = 0;
  for (const wanted of [1, 10]) {
    for (; targets < wanted; targets++) await addTarget(subject, `${hooks.url}/hook`, targets);
    const events = howMany / wanted;
    await deliver(context, subject, hooks, wanted, context.quick ? 50 : 200);
    context.say(`${count(howMany)} deliveries to ${wanted === 1 ? 'one target' : `${wanted} targets`}`);
    const { perSecond, body } = await deliver(context, subject, hooks, wanted, events);
    const bare = await barePosts(context, hooks, {
      url: hooks.url,
      body,
      howMany,
      atOnce: MESSAGES_A_TARGET * wanted,
    });
    rows.push({
      figure: `Deliveries a second to ${wanted === 1 ? 'one target' : `${wanted} targets`}`,
      tocsin: count(perSecond),
      beside: `${count(bare)} bare posts`,
      ratio: times(perSecond, bare),
    });
  }
  return {
    rows,
    notes: [
      `Each of ${count(howMany)} deliveries: claimed under a lease, signed, posted, settled and its target's health kept, in PostgreSQL with durable commits; ${MESSAGES_A_TARGET} at a time to a target. Time runs from the first arrival to the last.`,
      'Beside it: the same body posted with node:http over as many connections by a process that does nothing else. The receiver is one process for both.',
    ],
  };
};

async function addTarget({ admin, orgId }: Subject, url: string, no: number): Promise<void> {
  const target = { name: `Receiver ${no}`, kind: 'webhook', url, events: ['opened'] };
  await admin.ok('POST', `/organizations/${orgId}/webhooks`, target);
}

/** Stores `events` events for all targets at once, and waits for them. */
async function deliver(context: Context, subject: Subject, hooks: Hooks, targets: number, events: number) {
  const arrived = hooks.expect(events * targets);
  const sent = Array.from({ length: events }, (_, i) => ({
    event: 'opened' as const,
    projectId: null,
    monitorNo: null,
    groupNo: null,
    incident: incidentPayload(`inc_${Date.now()}_${i}`),
  }));
  await runWork(subject.database.db, new Date(), SYSTEM, (work) =>
    enqueueEvents(work, subject.orgId, sent, ['webhook']),
  );
  const { firstAtMs, lastAtMs, body } = await arrived;
  context.signal.throwIfAborted();
  return { perSecond: ((events * targets) / (lastAtMs - firstAtMs)) * 1000, body };
}

async function barePosts(context: Context, hooks: Hooks, order: BarePostsOrder): Promise<number> {
  const child = startChild(context, 'bare-posts-process.ts');
  const arrived = hooks.expect(order.howMany);
  const done = child.next('done');
  child.send(order);
  const { firstAtMs, lastAtMs } = await arrived;
  await done;
  await child.stop();
  return (order.howMany / (lastAtMs - firstAtMs)) * 1000;
}
