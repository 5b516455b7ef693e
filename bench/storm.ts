// Thousands of incidents open at once: the time until every target has received each, and the effect on other results.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Context, count, ms, quantile, type Row, type RunBench } from './figure.ts';
import { startHooks } from './hooks.ts';
import { type LoadOrder, postResults } from './load.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const BATCH = 500;
const BESIDE_PER_SECOND = 500;
const BESIDE_MONITORS = 500;

export const storm: RunBench = async (context) => {
  const many = context.quick ? 500 : 5_000;
  const hooks = await startHooks(context);
  const subject = await startSubject(context);
  const failing = await subject.addMonitors(many, (i) => ({
    config: { url: `https://shop.example.com/${i}` },
    interval_seconds: 86_400,
    enabled: true,
  }));
  const beside = await subject.addMonitors(BESIDE_MONITORS, (i) => ({
    config: { url: `https://other.example.com/${i}` },
    interval_seconds: 86_400,
  }));
  const posts = (seconds: number): LoadOrder => ({
    url: subject.url,
    token: subject.probeToken,
    monitorIds: beside.map(({ id }) => id),
    batch: 50,
    inFlight: 1,
    perSecond: BESIDE_PER_SECOND,
    seconds,
    downEvery: null,
  });
  const seconds = context.quick ? 5 : 20;
  context.say('results before the storm');
  const before = await postResults(context, posts(seconds));
  const rows: Row[] = [];
  let targets = 0;
  for (const wanted of [1, 10]) {
    for (; targets < wanted; targets++)
      await subject.admin.ok('POST', `/organizations/${subject.orgId}/webhooks`, {
        name: `Receiver ${targets}`,
        kind: 'webhook',
        url: `${hooks.url}/hook`,
        events: ['opened'],
      });
    const to = wanted === 1 ? 'one webhook' : `${wanted} webhooks`;
    context.say(`${count(many)} incidents at once, to ${to}`);
    // The installation has checked a few of them itself: their deliveries arrive before, or not at all.
    const open = await openAndDelivered(context, subject);
    const arrived = hooks.expect((many - open) * wanted);
    const beganAtMs = Date.now();
    const during = postResults(context, posts(seconds));
    for (let i = 0; i < 2; i++) await say(subject, failing, 'down');
    const openedMs = Date.now() - beganAtMs;
    const { lastAtMs } = await arrived;
    const { tookMs } = await during;
    rows.push({
      figure: `${count(many)} incidents at once sent to ${to}`,
      tocsin: `${((lastAtMs - beganAtMs) / 1000).toFixed(1)} s`,
      beside: `all open after ${(openedMs / 1000).toFixed(1)} s`,
    });
    rows.push({
      figure: `Other results meanwhile, ${to}: median, p99 of a post`,
      tocsin: two(tookMs),
      beside: `${two(before.tookMs)} before`,
    });
    await recover(context, subject, failing);
  }
  return {
    rows,
    notes: [
      `${count(many)} monitors fail twice, in posts of ${BATCH} results, one after the other; time runs from the first of these posts to the last webhook in the receiver's hands. Webhooks are never grouped: each incident is delivered to each target.`,
      `Meanwhile ${BESIDE_PER_SECOND} passing results a second of other monitors in posts of 50.`,
    ],
  };
};

const two = (list: readonly number[]) => `${ms(quantile(list, 0.5))}, ${ms(quantile(list, 0.99))}`;

/** All of them report this once. */
async function say(subject: Subject, monitors: readonly Made[], status: 'up' | 'down'): Promise<void> {
  for (let i = 0; i < monitors.length; i += BATCH) {
    const checked_at_ms = Date.now();
    const results = monitors.slice(i, i + BATCH).map(({ id }) => ({ monitor_id: id, checked_at_ms, status }));
    const response = await fetch(`${subject.url}/probe/results`, {
      method: 'POST',
      headers: { authorization: `Bearer ${subject.probeToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ probe_id: 'storm', results }),
    });
    if (response.status !== 200) throw new Error(`answered ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  }
}

/** Waits until no delivery is pending, and returns the number of open incidents. */
async function openAndDelivered({ signal }: Context, { database }: Subject): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ open: number; waiting: boolean }>`
      SELECT (SELECT count(*) FROM incidents WHERE status = 'open')::int AS open,
        EXISTS (SELECT FROM delivery_queue) AS waiting`.execute(database.db);
    const [now] = rows;
    signal.throwIfAborted();
    if (now && !now.waiting) return now.open;
    await sleep(200);
  }
}

/** Everything recovers, and no delivery is pending. */
async function recover(context: Context, subject: Subject, monitors: readonly Made[]): Promise<void> {
  // The installation checks them too, once they are unsettled, and finds no target: repeat until that is over.
  for (;;) {
    for (let i = 0; i < 2; i++) await say(subject, monitors, 'up');
    const { rows } = await sql`
      SELECT FROM incidents WHERE status = 'open' UNION ALL SELECT FROM delivery_queue LIMIT 1`.execute(
      subject.database.db,
    );
    if (rows.length === 0 || context.signal.aborted) return;
    await sleep(200);
  }
}
