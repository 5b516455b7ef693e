// The cost of PgBouncer in transaction mode, which prepares no statements before 1.21: the same requests and results through a
// server behind it and through one with a direct connection, on one database.

import { noPgBouncer, startPgBouncer } from '../test/harness/pgbouncer.ts';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { type FurtherServer, startFurtherServer } from './further-server.ts';
import { postResults } from './load.ts';
import { cpuSeconds } from './processes.ts';
import { sendRequests } from './requests.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const MONITORS = 1_000;
const IN_FLIGHT = 8;
const SESSIONS = 10;
const BATCH = 100;
/** Every n-th monitor fails in every result, so that its state is read and locked each time. */
const DOWN_EVERY = 10;

/** Milliseconds of CPU each. */
type Cpu = { server: number; database: number; pooler: number };
type Measured = { perSecond: number; tookMs: number[]; cpu: Cpu };
type Side = { one: number[]; requests: Measured; posts: Measured };

export const pooler: RunBench = async (context) => {
  const missing = noPgBouncer();
  if (missing) throw new Error(`${missing}; Debian: apt install pgbouncer`);
  const seconds = context.quick ? 2 : 10;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  // Once a day: the bundled probe has nothing to do.
  const monitors = await subject.addMonitors(MONITORS, (i) => ({
    config: { url: `http://127.0.0.1:9/${i}` },
    interval_seconds: 86_400,
  }));
  const { key } = await subject.admin.ok<{ key: string }>(
    'POST',
    `/organizations/${subject.orgId}/api-keys`,
    { name: 'Bench', scopes: ['monitors:read'] },
  );
  const bouncer = await startPgBouncer(subject.databaseUrl, SESSIONS);
  context.hooks.add('PgBouncer', async () => bouncer[Symbol.asyncDispose]());
  const direct = await startFurtherServer(context, subject);
  const pooled = await startFurtherServer(context, subject, {
    DATABASE_URL: bouncer.url,
    DATABASE_DIRECT_URL: subject.databaseUrl,
  });
  // Every side reports its own monitors, so that no check is reported twice.
  const half = MONITORS / 2;
  const measure = (name: string, server: FurtherServer, own: readonly Made[]) =>
    side(context, { name, server, subject, bouncerPid: bouncer.pid, own, key, seconds });
  const alone = await measure('direct', direct, monitors.slice(0, half));
  const through = await measure('through PgBouncer', pooled, monitors.slice(half));
  return {
    rows: [
      {
        figure: 'A request, one at a time: median, p99',
        tocsin: `${ms(quantile(through.one, 0.5))}, ${ms(quantile(through.one, 0.99))}`,
        beside: `${ms(quantile(alone.one, 0.5))}, ${ms(quantile(alone.one, 0.99))} direct`,
        ratio: times(quantile(through.one, 0.5), quantile(alone.one, 0.5)),
      },
      ...rowsOf(`Requests a second, ${IN_FLIGHT} in flight`, through.requests, alone.requests),
      ...rowsOf(`Posts of ${BATCH} results a second, 1 in ${DOWN_EVERY} failing`, through.posts, alone.posts),
    ],
    notes: [
      `Two servers on one database, one after the other: one behind PgBouncer in transaction mode with ${SESSIONS} sessions, one with direct connections over the socket. ${seconds} s a round after a warm-up.`,
      'Requests: GET of a monitor by API key. Before 1.21 PgBouncer passes no prepared statements on: PostgreSQL parses and plans each statement anew (CPU of the database), and every byte goes through one more process (CPU of PgBouncer).',
      'From 1.21 on, with max_prepared_statements above 0, statements are prepared through it as well; then only the second part remains.',
    ],
  };
};

type Order = {
  name: string;
  server: FurtherServer;
  subject: Subject;
  bouncerPid: number;
  own: readonly Made[];
  key: string;
  seconds: number;
};

async function side(context: Context, order: Order): Promise<Side> {
  const { name, server, own, key, seconds } = order;
  const headers = { authorization: `Bearer ${key}` };
  const asked = own.slice(0, 100).map(({ id }) => ({ method: 'GET', path: `/monitors/${id}`, headers }));
  const ask = (inFlight: number, during: number) =>
    sendRequests(context, { url: server.url, requests: asked, inFlight, seconds: during, status: 200 });
  const post = (during: number) =>
    postResults(context, {
      url: server.url,
      token: order.subject.probeToken,
      monitorIds: own.map(({ id }) => id),
      batch: BATCH,
      inFlight: 4,
      perSecond: null,
      seconds: during,
      downEvery: DOWN_EVERY,
    });
  context.say(`${name}: requests`);
  await ask(IN_FLIGHT, context.quick ? 1 : 3);
  const { tookMs: one } = await ask(1, seconds);
  const requests = await counted(order, () => ask(IN_FLIGHT, seconds));
  context.say(`${name}: results`);
  await post(context.quick ? 1 : 3);
  const posts = await counted(order, () => post(seconds));
  return { one, requests, posts };
}

async function counted(
  { server, subject, bouncerPid }: Order,
  load: () => Promise<{ seconds: number; tookMs: number[] }>,
): Promise<Measured> {
  const used = (): Cpu => ({
    server: cpuSeconds(server.pids()),
    database: cpuSeconds(subject.processes().database),
    pooler: cpuSeconds([bouncerPid]),
  });
  const before = used();
  const { seconds, tookMs } = await load();
  const after = used();
  const each = (part: keyof Cpu) => ((after[part] - before[part]) / tookMs.length) * 1000;
  const cpu = { server: each('server'), database: each('database'), pooler: each('pooler') };
  return { perSecond: tookMs.length / seconds, tookMs, cpu };
}

function rowsOf(figure: string, through: Measured, alone: Measured): Row[] {
  const cpu = ({ server, database, pooler: own }: Cpu) =>
    [server, database, own].map((each) => each.toFixed(2)).join(', ');
  const sum = ({ server, database, pooler: own }: Cpu) => server + database + own;
  return [
    {
      figure,
      tocsin: count(through.perSecond),
      beside: `${count(alone.perSecond)} direct`,
      ratio: times(through.perSecond, alone.perSecond),
    },
    {
      figure: 'CPU of each, ms: server, database, PgBouncer',
      tocsin: cpu(through.cpu),
      beside: `${cpu(alone.cpu)} direct`,
      ratio: times(sum(through.cpu), sum(alone.cpu)),
    },
  ];
}
