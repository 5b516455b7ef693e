// From the deciding check to the webhook, with the incident committed first.
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child.ts';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { postResults } from './load.ts';
import { type Delivery, type Outside, startOutside } from './outside.ts';
import { type Subject, startSubject } from './subject.ts';

export type BareAlarmOrder = {
  databaseUrl: string;
  url: string;
  hookUrl: string;
  monitorName: string;
  cycles: number;
};

/** Monitors that fail and recover in turn, every second, with the default policy: two failures open, two passes close. */
const ALARMS = 10;
/** Less than the interval, and more than the extra check after an opened incident takes. */
const CHECKS_APART_MS = 700;
/** Monitors of an organization each, which alarms at most twice a minute: the third alarm of a minute would begin a storm. */
const ALONE = 100;
const ALONE_INTERVAL_SECONDS = 20;
const ALONE_APART_MS = 10_000;
/** Two failures and two passes, 15 s or an interval apart. */
const ALONE_TURN_SECONDS = 70;
const BUSY_MONITORS = 1_000;
const BUSY_PER_SECOND = 5_000;
const BARE_ADDRESS = 99_999;

export const alarm: RunBench = async (context) => {
  const { quick } = context;
  const seconds = quick ? 5 : 40;
  const outside = await startOutside(context);
  // One token sends more results than its region's monitors would have: this measures the ingest, not its limit.
  const subject = await startSubject(context, {
    RATE_LIMITS: 'off',
    ORGANIZATIONS_PER_USER: String(2 * ALONE),
  });
  await addReceiver(subject, outside, subject.orgId);
  const listener = listen(subject, outside);
  const alone = await alarmsAlone(context, subject, outside, listener);
  await subject.addMonitors(ALARMS, (i) => ({
    config: { url: `${outside.url}/${ALONE + i}` },
    interval_seconds: 1,
  }));
  const busy = await subject.addMonitors(BUSY_MONITORS, (i) => ({
    config: { url: `${outside.url}/${ALONE + ALARMS + i}` },
    interval_seconds: 86_400,
  }));
  outside.takeTurns(
    Array.from({ length: ALARMS }, (_, i) => ALONE + i),
    CHECKS_APART_MS,
  );
  context.say('warming up');
  await sleep(quick ? 4_000 : 10_000);

  context.say(`idle, in a storm, for ${seconds} s`);
  listener.clear();
  await sleep(seconds * 1000);
  const idle = listener.take();
  context.say(`with ${count(BUSY_PER_SECOND)} results a second beside it, for ${seconds} s`);
  const load = postResults(context, {
    url: subject.url,
    token: subject.probeToken,
    monitorIds: busy.map(({ id }) => id),
    batch: 500,
    inFlight: 2,
    perSecond: BUSY_PER_SECOND,
    seconds: seconds + 3,
    downEvery: null,
  });
  await sleep(2_000);
  listener.clear();
  await sleep(seconds * 1000);
  const loaded = listener.take();
  const { accepted, seconds: loadSeconds } = await load;
  outside.beWell();
  await sleep(2_000);
  const bare = await bareAlarm(context, subject, outside, listener, quick ? 5 : 60);

  if (alone.opened.length === 0 || idle.opened.length === 0 || loaded.opened.length === 0)
    throw new Error(`no webhook arrived; the installation said:\n${subject.installation.output()}`);
  const { undurable } = listener;
  if (undurable > 0) throw new Error(`${undurable} webhooks arrived before their incident was committed`);
  return {
    rows: [
      ...rowsOf('idle', alone, bare),
      ...rowsOf('idle, in a storm', idle, bare),
      ...rowsOf(`with ${count(accepted / loadSeconds)} results/s beside`, loaded, bare),
    ],
    notes: [
      `Idle: ${ALONE} monitors at ${ALONE_INTERVAL_SECONDS} s, each of an organization of its own, so that each alarm stands alone. The other rows: ${ALARMS} monitors of one organization at 1 s; with three alarms a minute they are a storm, which takes more statements.`,
      `The monitors fail twice and pass twice in turn, under the default policy; time runs from the end of the answer that decides to the webhook in the receiver's hands, both in one process outside.`,
      'At each arrival the incident is read back over a connection of its own: all were committed.',
      'Beside it: a bare loop that checks with node:http, inserts and commits one row in the same database on the second failure and posts the webhook, one thing after the other.',
    ],
  };
};

const addReceiver = ({ admin }: Subject, { hookUrl: url }: Outside, orgId: string) =>
  admin.ok('POST', `/organizations/${orgId}/webhooks`, {
    ...{ name: 'Receiver', kind: 'webhook', url, events: ['opened', 'resolved'] },
  });

/** Alarms of organizations in which nothing else is wrong. */
async function alarmsAlone(
  { quick, say }: Context,
  subject: Subject,
  outside: Outside,
  listener: ReturnType<typeof listen>,
): Promise<TookMs> {
  say(`creating ${ALONE} organizations`);
  const addresses = Array.from({ length: ALONE }, (_, address) => address);
  for (const address of addresses) {
    const place = await subject.addOrganization(`Organization ${address}`);
    await addReceiver(subject, outside, place.orgId);
    const config = { url: `${outside.url}/${address}` };
    await subject.addMonitors(1, () => ({ config, interval_seconds: ALONE_INTERVAL_SECONDS }), place);
  }
  outside.takeTurns(addresses, ALONE_APART_MS);
  say('warming up');
  await sleep((quick ? 20 : ALONE_TURN_SECONDS) * 1000);
  const seconds = quick ? 20 : 2 * ALONE_TURN_SECONDS;
  say(`idle, for ${seconds} s`);
  listener.clear();
  await sleep(seconds * 1000);
  outside.beWell();
  // Until all have recovered.
  await sleep(quick ? 0 : 2 * ALONE_INTERVAL_SECONDS * 1000);
  return listener.take();
}

type TookMs = { opened: number[]; resolved: number[] };

function listen(subject: Subject, outside: Outside) {
  let tookMs: TookMs = { opened: [], resolved: [] };
  const state = {
    undurable: 0,
    clear: () => {
      tookMs = { opened: [], resolved: [] };
    },
    take: () => tookMs,
  };
  outside.onDelivery((delivery) => {
    const took = delivery.atMs - delivery.decidedAtMs;
    if (!Number.isNaN(took)) tookMs[delivery.event].push(took);
    if (delivery.incidentId !== '')
      isCommitted(subject, delivery).then(
        (committed) => {
          if (!committed) state.undurable += 1;
        },
        () => undefined, // the benchmark is over
      );
  });
  return state;
}

async function isCommitted({ database }: Subject, { incidentId, event }: Delivery): Promise<boolean> {
  const row = await database.db
    .selectFrom('incidents')
    .select('status')
    .where('id', '=', incidentId)
    .executeTakeFirst();
  return row !== undefined && (event === 'opened' || row.status === 'closed');
}

function rowsOf(when: string, tookMs: TookMs, bare: readonly number[]): Row[] {
  const two = (list: readonly number[]) => `${ms(quantile(list, 0.5))}, ${ms(quantile(list, 0.99))}`;
  return [
    {
      figure: `Failing check to webhook, ${when}: median, p99`,
      tocsin: two(tookMs.opened),
      beside: `${two(bare)} bare loop`,
      ratio: times(quantile(tookMs.opened, 0.5), quantile(bare, 0.5)),
    },
    {
      figure: `Recovering check to webhook, ${when}: median, p99`,
      tocsin: two(tookMs.resolved),
      beside: `${count(tookMs.opened.length)} + ${count(tookMs.resolved.length)} webhooks`,
    },
  ];
}

async function bareAlarm(
  context: Context,
  subject: Subject,
  outside: Outside,
  listener: ReturnType<typeof listen>,
  cycles: number,
): Promise<number[]> {
  context.say('the bare loop');
  listener.clear();
  outside.takeTurns([BARE_ADDRESS], 0);
  const child = startChild(context, 'bare-alarm-process.ts');
  const done = child.next('done');
  const order: BareAlarmOrder = {
    databaseUrl: subject.databaseUrl,
    url: `${outside.url}/${BARE_ADDRESS}`,
    hookUrl: outside.hookUrl,
    monitorName: `Monitor ${BARE_ADDRESS}`,
    cycles,
  };
  child.send(order);
  await done;
  await sleep(200);
  await child.stop();
  return listener.take().opened;
}
