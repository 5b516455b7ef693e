// The fences of the house: who may import whom, and where the outside world may be touched (docs/architecture.md).
// An exception is one line in one of the lists below, with its reason.
import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { codeOf, findRing, type Import, importsOf, sourceFiles, textOf } from './harness/imports.ts';

/** Imports point to a lower rank only; within one slice freely. */
const RANKS: Record<string, number> = {
  'src/domain': -2,
  'src/platform': -1,
  'src/retention.ts': 0, // how long things are kept: a list that slices and jobs read
  'src/conditions': 0, // SQL conditions that slices share: what is in maintenance, what pages
  'src/activity': 0, // what everybody writes into
  'src/accounts': 1,
  'src/organizations': 2,
  'src/regions': 2,
  'src/user-notifications': 2, // mails and pushes to people
  'src/api-keys': 3,
  'src/plans': 3, // what an organization may use
  'src/members': 4,
  'src/operator': 4, // what the operator of an installation does with organizations
  'src/projects': 4,
  'src/alarm-policy': 4,
  'src/notifications': 4, // webhooks, chat and paging targets
  'src/events': 4,
  'src/capsules': 4.5, // what regions look up when an incident opens: above live events, below incidents
  'src/incidents': 5,
  'src/monitors': 6,
  'src/on-call': 6, // above incidents: what opens, is taken or ends is announced to it
  'src/maintenance': 7,
  'src/series': 7, // what became of checks: buckets, figures, retention
  'src/probe-protocol': 7, // what probes ask for and hand in
  'src/check-now': 8,
  'src/checks': 8, // the way of a result: stored, decided, applied
  'src/charts': 9, // what a chart has beside its curve
  'src/policy-replay': 9, // stored checks once more, with another policy
  'src/heartbeats': 9,
  'src/agents': 9, // host agents: what they report, and what becomes of it
  'src/examples': 9, // an outage to look at: made of monitors, incidents and checks as they are
  'src/first-steps': 9, // what an organization lacks, over monitors and alarm plans
  'src/self-monitoring': 9, // what the installation itself cannot see
  'src/status-pages': 9,
  'src/reports': 9.5, // uptime and incidents of a month, of a page too: below the list of operations
  'src/overview': 9.5, // how an organization does, on one screen
  'src/walls': 9.6, // the same for whoever has a link
  'src/organization-export': 9.7, // one organization, through all slices: below the list of operations
  'src/configuration-import': 9.8, // the configuration of such a file, by the verbs of all slices
  'src/configuration-apply': 9.8, // a file that declares an organization, by the verbs of all slices
  'src/acknowledge-link': 10, // a page beside the interface: notices below, incidents above them
  'src/operations.ts': 10, // every operation of the interface
  'src/config': 10,
  'src/installation-backup': 10, // the whole database, above all slices
  'src/secret-key': 10, // everything that is sealed, above all slices
  'src/edge': 10.5, // what serves people's own domains: above the configuration, below what serves and examines
  'src/reactions.ts': 11, // what lower slices announce, and who reacts
  'src/jobs.ts': 11, // every stored job
  'src/doctor': 11, // what `tocsin doctor` checks
  'src/server': 11, // what the application serves and audits across slices
  'src/roles': 11.5, // what a server with a role has of all slices
  'src/app.ts': 12, // slices put together in one straight line
  'src/supervise': 13, // the processes of `tocsin serve`
  'src/cli': 14, // the command line
  'src/main.ts': 15,
};

/** What stands beside the folders of src. */
const ROOT = ['app', 'jobs', 'main', 'operations', 'reactions', 'retention'].map((name) => `src/${name}.ts`);

/** Packages the pure core may use: data in, data out. */
const PURE_PACKAGES = [
  '@sindresorhus/slugify',
  'croner',
  'ipaddr.js',
  'markdown-it',
  're2js',
  'rrule-temporal',
  'tinyqueue',
];

/** Contracts run in the browser: only what does so too. */
const CONTRACT_FOUNDATION = ['src/platform/contract.ts', 'src/domain/names.ts'];

const ENVIRONMENT_READERS = [
  'src/config/config.ts', // the one reader
  'src/config/child-environment.ts', // what child processes are given of it
  'src/cli/run/apply.ts', // what the variables of a configuration file stand for, and the key of a server elsewhere
  'probe/node-20.ts', // which certificates Node is to trust, where Node does not say
  'probe/main.ts', // the probe runs without the server's configuration
  'agent/command.ts', // so does the agent
  'agent/service/facts.ts', // who called sudo
  'agent/service/command.ts', // the enrolment token, which is no word of a command line
  'agent/service/machine.ts', // what the programs that an installation runs are given of it
  'web/vite.config.ts', // development server only: which server it asks
];

const NETWORK_MODULES = ['net', 'http', 'https', 'http2', 'tls', 'dns', 'dns/promises', 'dgram', 'undici'];
/** Of the network modules: functions that touch no network. */
const HARMLESS_NAMES = ['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'STATUS_CODES', 'TLSSocket'];
const NETWORK_USERS = [
  'src/platform/outbound/', // the way out: resolves once, vets, connects to what was vetted
  'src/platform/db/embedded.ts', // finds a free loopback port on Windows
  'src/platform/db/embedded/guard.ts', // listens on a private socket: one server per data directory
  'probe/link.ts', // the probe's line to its own server
  'probe/folder-guard.ts', // listens on a private socket: one probe per data folder
  'probe/node-20.ts', // adds to what Node says of its certificates
  'agent/exchange.ts', // the agent's line to its own server, and to Docker's socket on its machine
];

const CLOCKS = [
  'pack/program.ts', // how old is what is built
  'src/self-monitoring/loop.ts', // the watch over the installation itself
  'src/edge/loop.ts', // the look at the edges every 10 s
  'src/heartbeats/loop.ts', // the look each second for heartbeats that fell silent
  'src/supervise/stop-within.ts', // the limit on an orderly stop
  'src/supervise/signals.ts', // notices that npm is gone
  'src/supervise/child.ts', // pauses before a restart
  'src/supervise/probe-supervisor.ts', // the same for a probe that stands alone
  'src/supervise/hang-detection.ts', // how long a server has sent no heartbeat
  'src/platform/work.ts', // lets what a commit has woken go first, for one turn of the event loop
  'src/platform/polling.ts', // the polls of senders and of the audit
  'src/platform/collect-garbage.ts', // collects garbage after a start, in the first calm minute
  'src/platform/db/embedded.ts', // pauses before a restart
  'src/platform/db/embedded/postmaster-file.ts', // waits for an orphan to end
  'src/platform/db/watch-backend.ts', // the poll of a running migration
  'src/platform/db/fair-pool.ts', // how long a tenant waits for a connection
  'src/platform/db/listener.ts', // pause before listening again
  'src/secret-key/reseal-at-start.ts', // waits until every server has the new key
  'src/platform/db/disk-guard.ts', // reads the free space each second
  'src/platform/db/replica/replica.ts', // the query of the replica twice a second
  'src/platform/db/record-patiently.ts', // pauses while the database is away
  'src/platform/db/health-check.ts', // the query of the database and its clock four times a second
  'src/server/heartbeat-out.ts', // the call every minute
  'src/doctor/database.ts', // compares the machine's clock with the database's
  'src/cli/open-installation.ts', // the one "now" of a command
  'src/platform/http/shared-limiters.ts', // announces counts once a second
  'src/platform/db/waiters.ts', // how long a request is held open for a notification
  'src/organization-export/download.ts', // how long a reader may take nothing of an export
  'src/status-pages/domains/lookups.ts', // the poll for domains that are due
  'src/status-pages/public/views.ts', // how long a visitor waits for a newer page
  'src/status-pages/public/read-ahead.ts', // how long a start waits for pages
  'src/events/stream.ts', // heartbeat of live streams
  'src/events/subscriber.ts', // how long a stream that ended may take to be read
  'src/notifications/deliver.ts', // waits 2 ms for attempts that end together
  'src/notifications/delivery/start.ts', // the timer for the next delivery
  'src/user-notifications/sender.ts', // waits for the next notice that is due
  'src/platform/jobs/runner.ts', // pause before the job runner starts again
  'src/platform/outbound/deadline.ts', // total deadline of an exchange
  'src/platform/outbound/dial.ts', // when the next address is tried
  'src/platform/outbound/resolve.ts', // how long the second family is waited for
  'probe/assertions/pool.ts', // how long an answer waits to be judged
  'probe/assertions/thread.ts', // limit on one evaluation
  'probe/canaries.ts', // tries them now and then without need
  'probe/delivery.ts', // the deadline of the last post
  'probe/pending-results.ts', // gathers results into batches
  'probe/types/http/exchange.ts', // how long a body nobody needs is read
  'probe/types/http/beginning.ts', // how long a failed check waits for the beginning of a body
  'probe/excerpt-budget.ts', // what excerpts may add to the posts of a second
  'src/capsules/ask.ts', // asks when the alarm has gone out
  'src/checks/responses.ts', // lets other work of the process go on between answers
  'src/policy-replay/replay.ts', // lets other work of the process go on between checks
  'probe/lag.ts', // measures how late timers come
  'probe/link.ts', // deadline of a request to the server
  'probe/log.ts', // time of a line
  'probe/retry.ts', // pauses between tries
  'probe/start.ts', // the wall clock that what is set aside outlives a restart by
  'probe/watchdog.ts', // the beat of the main loop
  'probe/watchdog-thread.ts', // time of a line
  'agent/exchange.ts', // deadline of a request
  'agent/interruptible-sleep.ts', // the wait for the next heartbeat
  'agent/time.ts', // the clocks of the machine
  'agent/collect/disks.ts', // limit on a look at the disks
  'agent/collect/limited.ts', // limit on a reading
  'src/platform/log.ts', // prints the time of a line
];

/**
 * The way of a result, in the order in which the data goes: imports among these files point to later ones
 * (docs/architecture.md#from-a-result-to-the-receiver).
 */
const SPINE = [
  'src/checks/ingest.ts',
  'src/checks/decide.ts',
  'src/domain/confirmation.ts',
  'src/checks/apply.ts',
  'src/incidents/open.ts',
  'src/incidents/announce.ts',
  'src/notifications/outbox.ts',
  'src/notifications/deliver.ts',
];

const DRAWERS = /^(utils?|helpers?|common|shared|misc|lib)$/;
const MAX_LINES = 300;

const all = sourceFiles(['src', 'probe', 'agent', 'web', 'test', 'bench', 'pack']);
const production = all.filter((path) => !/\.test\.tsx?$/.test(path) && !/^(test|bench)\//.test(path));
const imports = production.flatMap(importsOf);
const fromPart = (...parts: string[]) =>
  imports.filter(({ from }) => parts.some((part) => from.startsWith(`${part}/`)));

const show = ({ from, to }: Import) => `${from} imports ${to}`;
const under = (path: string, list: readonly string[]) =>
  list.some((entry) => (entry.endsWith('/') ? path.startsWith(entry) : path === entry));
const isContract = (path: string) =>
  /(^|[/-])contract\.ts$/.test(path) ||
  /^src\/monitors\/types\/([^/]+\/config|parts|destination|defaults)\.ts$/.test(path);
const inDomain = (path: string) => path.startsWith('src/domain/');

function partOf(path: string): string {
  return path in RANKS ? path : path.split('/').slice(0, 2).join('/');
}

function rankOf(path: string): number {
  const part = partOf(path);
  const rank = RANKS[part];
  assert.notEqual(rank, undefined, `${part} has no rank: give it one in ${import.meta.filename}`);
  return rank!;
}

test('slices import only lower ranks', () => {
  const wrong = fromPart('src')
    .filter(({ local, to }) => local && to.startsWith('src/'))
    // A contract may also use contracts beside it: the dashboard reads them as one book.
    .filter(({ from, to }) => !(isContract(from) && isContract(to) && rankOf(to) <= rankOf(from)))
    .filter(({ from, to }) => partOf(from) !== partOf(to) && rankOf(to) >= rankOf(from));
  assert.deepEqual(wrong.map(show), []);
});

test('the server imports neither the probe nor the dashboard, except to start them', () => {
  const wrong = fromPart('src').filter(
    ({ from, to, local }) => local && !to.startsWith('src/') && rankOf(from) < rankOf('src/supervise'),
  );
  assert.deepEqual(wrong.map(show), []);
});

test('imports climb one folder at most; further ones start with #', () => {
  const wrong = all.filter((path) => /\b(?:from|import)\s*\(?\s*'\.\.\/\.\.\//.test(textOf(path)));
  assert.deepEqual(wrong, []);
});

test('the root of src is a table of contents', () => {
  const root = all.filter((path) => /^src\/[^/]+$/.test(path));
  assert.deepEqual(root, ROOT);
});

test('there are no import cycles', () => {
  const edges = new Map(production.map((path) => [path, [] as string[]]));
  for (const { from, to, local } of imports) if (local) edges.get(from)?.push(to);
  assert.equal(findRing(edges)?.join(' → ') ?? null, null);
});

test('the pure core imports only itself and pure packages', () => {
  const wrong = fromPart('src/domain').filter(({ to, local }) =>
    local ? !inDomain(to) : !PURE_PACKAGES.includes(to),
  );
  assert.deepEqual(wrong.map(show), []);
});

test('contracts import only typebox, the foundation and other contracts', () => {
  const allowed = (to: string) => to === 'typebox' || CONTRACT_FOUNDATION.includes(to) || isContract(to);
  const wrong = imports.filter(({ from, to }) => isContract(from) && !allowed(to));
  assert.deepEqual(wrong.map(show), []);
});

test('the probe and the agent import contracts, the pure core and the egress module, never the rest of the server', () => {
  const allowed = (to: string) =>
    /^(probe|agent)\/|^package\.json$/.test(to) ||
    isContract(to) ||
    inDomain(to) ||
    to.startsWith('src/platform/outbound/');
  assert.deepEqual(
    fromPart('probe', 'agent')
      .filter(({ to, local }) => local && !allowed(to))
      .map(show),
    [],
  );
});

test('the dashboard imports contracts and the pure core, never the rest of the server', () => {
  const allowed = (to: string) => to.startsWith('web/') || isContract(to) || inDomain(to);
  assert.deepEqual(
    fromPart('web')
      .filter(({ to, local }) => local && !allowed(to))
      .map(show),
    [],
  );
});

test('only the configuration reads the environment', () => {
  const wrong = production.filter(
    (path) => !ENVIRONMENT_READERS.includes(path) && /process\s*\.\s*env\b/.test(codeOf(path)),
  );
  assert.deepEqual(wrong, []);
});

test('nothing reaches the network except through the egress module', () => {
  const isNetwork = ({ to, typeOnly, names }: Import) =>
    NETWORK_MODULES.includes(to.replace(/^node:/, '')) &&
    !typeOnly &&
    !(names.length > 0 && names.every((name) => HARMLESS_NAMES.includes(name)));
  const served = (path: string) => !path.startsWith('web/') && !under(path, NETWORK_USERS);
  assert.deepEqual(imports.filter((entry) => served(entry.from) && isNetwork(entry)).map(show), []);
  const fetching = production.filter((path) => served(path) && /(^|[^.\w])fetch\(/m.test(codeOf(path)));
  assert.deepEqual(fetching, [], 'fetch follows redirects to anywhere');
});

test('clock and timers are used only in the named loops', () => {
  const clock =
    /\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b|(?<![.\w])(?:setTimeout|setInterval|setImmediate)\(/;
  const wrong = production.filter(
    (path) => !path.startsWith('web/') && !under(path, CLOCKS) && clock.test(codeOf(path)),
  );
  const sleeping = imports.filter(({ from, to }) => to === 'node:timers/promises' && !under(from, CLOCKS));
  assert.deepEqual([...wrong, ...sleeping.map(show)], []);
});

test('the pure core uses no clock and no randomness', () => {
  const impure =
    /\bDate\.now\(|\bnew Date\(\)|\bTemporal\.Now\b|\bMath\.random\(|\bperformance\.|\bcrypto\.|\bprocess\./;
  assert.deepEqual(
    production.filter((path) => inDomain(path) && impure.test(codeOf(path))),
    [],
  );
});

test('the eight files from a result to the receiver import each other in the direction of the data', () => {
  const among = imports
    .filter(({ from, to }) => SPINE.includes(from) && SPINE.includes(to))
    .map(({ from, to }) => `${SPINE.indexOf(from) + 1} → ${SPINE.indexOf(to) + 1}`);
  // The rules know nobody, and between the outbox and the worker is the database.
  assert.deepEqual(among.toSorted(), ['1 → 2', '2 → 3', '2 → 4', '4 → 5', '5 → 6', '6 → 7']);
});

test('each of the eight names its place and its neighbours, in under 300 lines', () => {
  for (const [i, path] of SPINE.entries()) {
    const lines = textOf(path).split('\n');
    const header = lines.slice(
      0,
      lines.findIndex((line) => !line.startsWith('//')),
    );
    assert.ok(header[0]?.startsWith(`// Stop ${i + 1} of ${SPINE.length} (docs/architecture.md#`), path);
    for (const neighbour of [SPINE[i - 1], SPINE[i + 1]])
      if (neighbour !== undefined)
        assert.ok(header.join('\n').includes(basename(neighbour)), `${path} names ${neighbour}`);
    assert.ok(lines.length < MAX_LINES, `${path} has ${lines.length} lines`);
  }
});

test('docs/architecture.md lists the eight in order, with a sentence each', () => {
  const listed = [...textOf('docs/architecture.md').matchAll(/^\| (\d) `([^`]+)` \| \S.{40,} \|/gm)];
  assert.deepEqual(
    listed.map(([, no, name]) => `${no} src/${name}.ts`),
    SPINE.map((path, i) => `${i + 1} ${path}`),
  );
});

test('there are no catch-all folders: names say what is inside', () => {
  const wrong = all.filter((path) => path.split('/').some((part) => DRAWERS.test(part.replace(/\..*$/, ''))));
  assert.deepEqual(wrong, []);
});

test('no file outgrows its single job', () => {
  const long = all
    .filter((path) => path !== 'src/platform/db/tables.ts') // generated
    .map((path) => ({
      path,
      lines: codeOf(path).split('\n').length,
      most: path.includes('.test.') ? 500 : MAX_LINES,
    }))
    .filter(({ lines, most }) => lines > most);
  assert.deepEqual(
    long.map(({ path, lines }) => `${path} has ${lines} lines`),
    [],
  );
});
