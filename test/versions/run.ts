// `npm run versions`: the version before and this one on one database under load, as in an upgrade without a gap
// (docs/upgrading.md#several-servers-without-a-gap).
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readyDashboard } from '#src/supervise/dashboard.ts';
import { readyDownloads } from '#src/supervise/downloads.ts';
import { listenForSignals } from '#src/supervise/signals.ts';
import { silent } from '../harness/cluster.ts';
import { until } from '../harness/until.ts';
import { type Checkout, checkOut, commitOf, lastTag } from './checkout.ts';
import { findings } from './findings.ts';
import { askForPages, type Going, makePoster, reportOutages, reportSteady, watchReadiness } from './load.ts';
import { type RunningServer, type Scene, startScene } from './scene.ts';
import { follow } from './stream.ts';

const HELP = `Usage: npm run versions -- [--from REVISION] [--seconds N]

Starts a server of an older version (the last tag, unless --from names another git revision) on a database of its own, puts
load on it, migrates with this version, starts two servers of this version beside it, and stops the old one. Then it
compares: results acknowledged and stored, incidents and outages, webhooks, the live stream, the status of every request,
and whether every server was ready all the time.

  --from REVISION  the version before: a tag, a branch or a commit
  --seconds N      how long each of the three phases lasts (15)
`;

const say = (line: string) => void process.stderr.write(`versions: ${line}\n`);

process.exitCode = await main(process.argv.slice(2));
process.exit();

async function main(words: string[]): Promise<number> {
  const refuse = (sentence: string): number => {
    process.stderr.write(`${sentence}\n\n${HELP}`);
    return 2;
  };
  let values: { from?: string; seconds?: string; help?: boolean };
  try {
    const options = {
      from: { type: 'string' },
      seconds: { type: 'string' },
      help: { type: 'boolean' },
    } as const;
    values = parseArgs({ args: words, options }).values;
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const seconds = Number(values.seconds ?? 15);
  if (!Number.isInteger(seconds) || seconds < 1) return refuse('--seconds takes a whole number from 1 on.');
  const revision = values.from ?? (await lastTag());
  if (revision === null)
    return refuse(
      'There is no tag to upgrade from yet. Name a revision: npm run versions -- --from REVISION',
    );
  const commit = await commitOf(revision);
  if (commit === null) return refuse(`git knows no commit called ${revision}.`);

  const stop = listenForSignals(() => undefined, false);
  const stack = new AsyncDisposableStack();
  try {
    const running = upgrade(stack, commit, seconds);
    const ended = await Promise.race([running, stop.requested]);
    if (typeof ended === 'number') return ended;
    running.catch(() => undefined); // it ends with everything that it used
    say('interrupted; ending what was started');
    return 130;
  } finally {
    await stack.disposeAsync();
    stop.dispose();
  }
}

async function upgrade(stack: AsyncDisposableStack, commit: string, seconds: number): Promise<number> {
  const before = stack.use(await checkOut(commit, say));
  say(`from ${commit.slice(0, 8)} "${before.subject}", whose last migration is ${before.lastMigration}`);
  // Else the first server of this version would build them under load.
  const never = new AbortController().signal;
  await Promise.all([readyDashboard(silent, never), readyDownloads(silent, never)]);
  const scene = await startScene(stack, { name: 'old', checkout: before.dir });
  const started = await underLoad(scene, before, seconds);
  for (const sentence of started) process.stdout.write(`WRONG  ${sentence}\n`);
  process.stdout.write(started.length === 0 ? 'Nothing was lost, doubled or refused.\n' : '');
  return started.length === 0 ? 0 : 1;
}

async function underLoad(scene: Scene & { first: RunningServer }, before: Checkout, seconds: number) {
  const { front, receiver, alice, steady, flapping } = scene;
  const post = makePoster(front.url, scene.token);
  const results = reportSteady(post, steady);
  const outages = reportOutages(post, flapping);
  const requests = askForPages(alice, { ...scene, monitors: steady });
  const stream = follow(`${front.url}/organizations/${scene.orgId}/events`, alice.cookie());
  const watched: Going<{ asked: number; unready: string[] }>[] = [];
  const watch = ({ name, url }: RunningServer) => {
    const going = watchReadiness(name, url);
    watched.push(going);
    return going;
  };
  const phase = async (name: string) => {
    say(`${name}, for ${seconds} s`);
    await pause(seconds * 1000);
  };

  const oldIsReady = watch(scene.first);
  await phase('the old version alone');
  say('migrating with this version');
  const migratingAtMs = performance.now();
  const migrated = await scene.command(['migrate']);
  if (migrated.code !== 0) throw new Error(`tocsin migrate ended with ${migrated.code}: ${migrated.err}`);
  const migratedMs = performance.now() - migratingAtMs;
  for (const name of ['new 1', 'new 2']) watch(await scene.start(name));
  await phase('both versions');
  await oldIsReady.stop();
  say('taking the old version away');
  const code = await scene.takeAway(scene.first);
  await phase('this version alone');

  for (const going of [results, outages, requests, ...watched.slice(1)]) await going.stop();
  const incidents = await scene.query<{ id: string; monitorId: string; status: string }>(
    `SELECT i.id, i.monitor_id AS "monitorId", i.status FROM incidents i`,
  );
  const delivered = () =>
    new Set(receiver.received.map(({ body, event }) => `${body.incident?.id} ${event}`)).size;
  await until(() => delivered() >= 2 * incidents.length, 'every webhook arrives').catch(() => undefined);
  await until(() => incidents.every(({ id }) => stream.soFar.incidents.has(id)), 'the stream has all').catch(
    () => undefined,
  );
  stream.stop();
  const stored = await scene.query<{ key: string }>(
    `SELECT m.id || ' ' || (extract(epoch FROM c.checked_at) * 1000)::bigint AS key
     FROM checks c JOIN monitors m ON m.no = c.monitor_no`,
  );
  const counts = [...front.counts()].map(([key, n]) => `${key}: ${n}`).sort();
  const acknowledged = new Set([...results.soFar, ...outages.soFar.acknowledged]);
  process.stdout.write(
    `From ${before.commit.slice(0, 8)} (${before.lastMigration}); migrated in ${(migratedMs / 1000).toFixed(1)} s under load; ` +
      `the old server ended with ${code}.\n` +
      `${acknowledged.size} results acknowledged, ${stored.length} stored; ${incidents.length} incidents, ` +
      `${receiver.received.length} webhooks; ${stream.soFar.connections} connections of one live stream.\n` +
      `Answers by server and status: ${counts.join(', ')}.\n` +
      `Ready each time: ${watched.reduce((n, { soFar }) => n + soFar.asked, 0)} times.\n`,
  );
  return findings({
    acknowledged,
    stored: new Set(stored.map(({ key }) => key)),
    incidents,
    outages: outages.soFar.cycles,
    deliveries: receiver.received.map(({ body, event, genuine }) => ({
      incidentId: String(body.incident?.id),
      event,
      genuine,
    })),
    streamed: stream.soFar.incidents,
    resets: stream.soFar.resets,
    failed: front.failed(),
    unready: watched.flatMap(({ soFar }) => soFar.unready),
  });
}
