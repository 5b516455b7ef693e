// One, two and three server processes on one database: results and requests a second, the throughput of a core, and the
// bottleneck.
import { availableParallelism } from 'node:os';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { type FurtherServer, startFurtherServer } from './further-server.ts';
import { bareInsert } from './ingest.ts';
import { postResults } from './load.ts';
import { busySeconds, canPin, cpuSeconds, pin } from './processes.ts';
import { sendRequests } from './requests.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const MONITORS = 1_200;
const BATCH = 1_000;
/** Over all servers: a multiple of one, two and three. */
const POSTS_IN_FLIGHT = 6;
const REQUESTS_IN_FLIGHT = 12;
const MAX_SERVERS = 3;

/** One process's load on one server. */
type Sent = { count: number; seconds: number; tookMs: number[] };
type Load = { name: string; send: (url: string, no: number, of: number, seconds: number) => Promise<Sent> };
/** One round of a load over all servers; `cores`: how many each part used on average. */
type Round = {
  load: string;
  perSecond: number;
  tookMs: number[];
  cores: { servers: number; database: number; all: number };
};

export const servers: RunBench = async (context) => {
  const cores = availableParallelism();
  if (cores < 2 || !(await canPin())) throw new Error('this needs two cores and taskset');
  const seconds = context.quick ? 2 : 7;
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
  const loads = [results(context, subject, monitors), requests(context, monitors, key)];

  const further: FurtherServer[] = [];
  const [onAny, onOne]: [Round[][], Round[][]] = [[], []];
  for (let of = 1; of <= MAX_SERVERS; of++) {
    if (of > 1) further.push(await startFurtherServer(context, subject));
    const measureAll = async (where: string): Promise<Round[]> => {
      const rounds: Round[] = [];
      for (const load of loads) {
        context.say(`${of} on ${where}: ${load.name}`);
        rounds.push(await measure(context, subject, further, load, seconds));
      }
      return rounds;
    };
    await pinServers(subject, further, `0-${cores - 1}`);
    onAny.push(await measureAll('any core'));
    await pinServers(subject, further, '0');
    onOne.push(await measureAll('one core'));
  }
  context.say(`bare INSERT for ${seconds} s`);
  const bare = await bareInsert(context, subject, monitors, seconds, BATCH);
  return {
    rows: [
      ...rowsOf('any core', onAny, bare.inserted / bare.seconds),
      ...rowsOf('one core', onOne, bare.inserted / bare.seconds),
    ],
    notes: [
      `Results: POST /probe/results with ${count(BATCH)} results a post, all passing, ${POSTS_IN_FLIGHT} in flight over all servers; requests: GET of a monitor by API key, ${REQUESTS_IN_FLIGHT} in flight. ${seconds} s each after a warm-up, from a process for each server. On one core: all servers share core 0, everything else may use any.`,
      `Cores are user and system time by the time of the round; "in all" is the whole machine with the load, of ${cores}. Where it comes near that, the machine stops and not the servers; where all servers share a core and use it up, that core does.`,
      'A core carries: how many a second by the cores that the servers, and the database, used. A machine with more cores carries as many more, as long as these do not fall with the number of servers.',
      'Beside the first line of results: a bare INSERT of the same rows in batches of the same size; beside the others: one server.',
    ],
  };
};

function results(context: Context, subject: Subject, monitors: readonly Made[]): Load {
  return {
    name: 'results',
    async send(url, no, of, seconds) {
      const done = await postResults(context, {
        url,
        token: subject.probeToken,
        // Apart, so that no two processes report the same check.
        monitorIds: monitors.filter((_, i) => i % of === no).map(({ id }) => id),
        batch: BATCH,
        inFlight: POSTS_IN_FLIGHT / of,
        perSecond: null,
        seconds,
        downEvery: null,
      });
      return { ...done, count: done.accepted };
    },
  };
}

function requests(context: Context, monitors: readonly Made[], key: string): Load {
  const headers = { authorization: `Bearer ${key}` };
  const asked = monitors.slice(0, 100).map(({ id }) => ({ method: 'GET', path: `/monitors/${id}`, headers }));
  return {
    name: 'requests',
    async send(url, _no, of, seconds) {
      const order = { url, requests: asked, inFlight: REQUESTS_IN_FLIGHT / of, seconds, status: 200 };
      const done = await sendRequests(context, order);
      return { ...done, count: done.answered };
    },
  };
}

async function measure(
  context: Context,
  subject: Subject,
  further: readonly FurtherServer[],
  load: Load,
  seconds: number,
): Promise<Round> {
  const urls = [subject.url, ...further.map(({ url }) => url)];
  const sendAll = (during: number) =>
    Promise.all(urls.map((url, no) => load.send(url, no, urls.length, during)));
  const used = () => ({
    servers: cpuSeconds(serverPids(subject, further)),
    database: cpuSeconds(subject.processes().database),
    all: busySeconds(),
  });
  await sendAll(context.quick ? 1 : 2);
  const startedAtMs = performance.now();
  const before = used();
  const sent = await sendAll(seconds);
  const after = used();
  const elapsed = (performance.now() - startedAtMs) / 1000;
  // Servers and database are idle while the load generators start.
  const sending = Math.max(...sent.map((one) => one.seconds));
  return {
    load: load.name,
    perSecond: sent.reduce((sum, one) => sum + one.count / one.seconds, 0),
    tookMs: sent.flatMap(({ tookMs }) => tookMs),
    cores: {
      servers: (after.servers - before.servers) / sending,
      database: (after.database - before.database) / sending,
      all: (after.all - before.all) / elapsed,
    },
  };
}

const serverPids = (subject: Subject, further: readonly FurtherServer[]) => [
  ...subject.processes().server,
  ...further.flatMap(({ pids }) => pids()),
];

const pinServers = (subject: Subject, further: readonly FurtherServer[], cores: string) =>
  pin(serverPids(subject, further), cores);

function rowsOf(where: string, bySize: readonly Round[][], barePerSecond: number): Row[] {
  const loads = bySize[0]!.map((_, no) => bySize.map((rounds) => rounds[no]!));
  return loads.flatMap((rounds) =>
    rounds.flatMap(({ load, perSecond, tookMs, cores }, i): Row[] => {
      const alone = rounds[0]!.perSecond;
      const besideOne = { beside: `${count(alone)} one server`, ratio: times(perSecond, alone) };
      const besideBare = {
        beside: `${count(barePerSecond)} bare INSERT`,
        ratio: times(perSecond, barePerSecond),
      };
      const beside = i > 0 ? besideOne : load === 'results' ? besideBare : {};
      return [
        {
          figure: `${i + 1} on ${where}: ${load} a second; median, p99`,
          tocsin: `${count(perSecond)}; ${ms(quantile(tookMs, 0.5))}, ${ms(quantile(tookMs, 0.99))}`,
          ...beside,
        },
        {
          figure: 'a core carries: of servers, of the database',
          tocsin: `${count(perSecond / cores.servers)}, ${count(perSecond / cores.database)}`,
          beside: `cores: ${cores.servers.toFixed(2)}, ${cores.database.toFixed(2)}, in all ${cores.all.toFixed(2)}`,
        },
      ];
    }),
  );
}
