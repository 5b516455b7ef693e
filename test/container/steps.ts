// What is tried with the image, step by step. Each throws where it fails, and answers what it found.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT, textOf } from '#test/harness/imports.ts';
import { until } from '#test/harness/until.ts';
import { BASE, makeBase, makeNode, makePostgres, NODE } from './bases.ts';
import type { Podman } from './podman.ts';
import { CLOSED, given, IMAGE, NETWORK, ready, startWhole, stopInOrder } from './tocsin.ts';

export type Step = { says: string; act: (podman: Podman, ports: Ports) => Promise<string> };
export type Ports = { whole: number; compose: number };

const UID = '10001';
const PROJECT = 'tocsin';

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

async function makeImage(podman: Podman): Promise<string> {
  await makeBase(podman);
  await makeNode(podman);
  const bases = ['--build-arg', `NODE=${NODE}`, '--build-arg', `BASE=${BASE}`];
  await podman.build(IMAGE, ROOT, join(ROOT, 'Containerfile'), bases);
  const size = async (image: string) =>
    Math.round(Number(await podman.run('image', 'inspect', '--format', '{{.Size}}', image)) / 1e6);
  const commands = 'find / -xdev -type f -perm /6000 2>/dev/null; getcap -r / 2>/dev/null; id -u';
  const found = await podman.run(
    'run',
    '--rm',
    '--network',
    'none',
    '--entrypoint',
    'sh',
    IMAGE,
    '-c',
    commands,
  );
  assert.equal(found, UID, 'no program gives rights, and the user is ours');
  return `${await size(IMAGE)} MB, of them the base ${await size(BASE)} MB`;
}

async function startAllInOne(podman: Podman, { whole }: Ports): Promise<string> {
  await podman.run('network', 'create', NETWORK);
  const { url, readyAfterMs, admin } = await startWhole(podman, 'first', whole);
  const users = new Set((await podman.run('top', 'first', 'huser')).split('\n').slice(1));
  assert.deepEqual([...users], [UID], 'PostgreSQL and everything else run as our user');
  assert.notEqual((await podman.say('podman', ['exec', 'first', 'touch', '/opt/tocsin/x'])).code, 0);
  await podman.run('healthcheck', 'run', 'first');

  const alice = await admin();
  const [organization] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const [project] = await alice.ok<{ id: string }[]>('GET', `/organizations/${organization?.id}/projects`);
  const monitor = (name: string, type: string, config: object) =>
    alice.ok<{ id: string }>('POST', `/projects/${project?.id}/monitors`, {
      ...{ name, type, config, interval_seconds: 5 },
    });
  const made = [
    await monitor('Itself', 'http', {
      url: 'http://127.0.0.1:3300/healthz',
      keyword: { text: 'ok.*true', mode: 'regex' },
    }),
    await monitor('Loopback', 'ping', { host: '127.0.0.1' }),
  ];
  for (const { id } of made)
    await until(async () => {
      const checks = await alice.ok<{ status: string }[]>('GET', `/monitors/${id}/checks`);
      return checks.some(({ status }) => status === 'up');
    }, 'the probe checks');
  const doctor = await podman.run('exec', 'first', 'tocsin', 'doctor');
  assert.doesNotMatch(doctor, /^FAIL/m);
  assert.equal((await fetch(`${url}/app`)).status, 200);
  return `ready ${seconds(readyAfterMs)} after podman run, the first start; http and ping are checked`;
}

async function replaceIt(podman: Podman, { whole }: Ports): Promise<string> {
  const stoppedMs = await stopInOrder(podman, 'first');
  await podman.run('rm', 'first');
  const { readyAfterMs, admin } = await startWhole(podman, 'second', whole);
  const alice = await admin();
  const [organization] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const [project] = await alice.ok<{ id: string }[]>('GET', `/organizations/${organization?.id}/projects`);
  const monitors = await alice.ok<{ name: string }[]>('GET', `/projects/${project?.id}/monitors`);
  assert.deepEqual(monitors.map(({ name }) => name).sort(), ['Itself', 'Loopback']);
  await stopInOrder(podman, 'second');
  await podman.run('rm', 'second');
  return `stopped in ${seconds(stoppedMs)}, the next container ready after ${seconds(readyAfterMs)}, with what there was`;
}

async function refuseSettings(podman: Podman): Promise<string> {
  const words = ['run', '--rm', '--network', 'none', ...CLOSED, ...given({ PORT: 'high' }), IMAGE];
  const { code, out, err } = await podman.say('podman', words);
  assert.equal(code, 2);
  assert.match(out + err, /PORT is "high"; it takes a whole number/);
  return 'exit code 2, with a sentence';
}

async function composeUp(podman: Podman, { compose }: Ports): Promise<string> {
  await makePostgres(podman);
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  await podman.run('tag', IMAGE, `localhost/tocsin:${version}`);
  const folder = join(podman.dir, PROJECT);
  await mkdir(folder);
  // The port of the file may be in use on this machine.
  const file = textOf('compose.yaml').replace('127.0.0.1:3300:', `127.0.0.1:${compose}:`);
  await writeFile(join(folder, 'compose.yaml'), file);
  const env = { POSTGRES_PASSWORD: 'a-long-password', SECRET_KEY: 'k'.repeat(44), CANARIES: 'none' };
  const lines = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(join(folder, '.env'), lines.join(''), { mode: 0o600 });
  const startedAt = performance.now();
  const { code, out, err } = await podman.say('podman-compose', ['up', '--detach'], folder);
  assert.equal(code, 0, out + err);
  await ready(`http://127.0.0.1:${compose}`);
  const readyAfterMs = performance.now() - startedAt;
  await podman.run('healthcheck', 'run', `${PROJECT}_tocsin_1`);
  await podman.run('healthcheck', 'run', `${PROJECT}_database_1`);
  const doctor = await podman.run('exec', `${PROJECT}_tocsin_1`, 'tocsin', 'doctor');
  assert.match(doctor, /^OK +database .*PostgreSQL/m);
  return `PostgreSQL and Tocsin ready after ${seconds(readyAfterMs)}, both empty before`;
}

/** Containers in the network of the compose project, with its database. */
function besideCompose() {
  const env = {
    DATABASE_URL: 'postgres://tocsin:a-long-password@database/tocsin',
    ...{ SECRET_KEY: 'k'.repeat(44), LOCAL_PROBE: 'off', CANARIES: 'none' },
  };
  return { where: ['--network', `${PROJECT}_default`, ...CLOSED], env };
}

async function migrateAsJob(podman: Podman): Promise<string> {
  const { where, env } = besideCompose();
  const said = await podman.run('run', '--rm', ...where, ...given(env), IMAGE, 'migrate');
  assert.match(said, /The database is up to date\./);
  return 'tocsin migrate in a container of its own';
}

async function splitRoles(podman: Podman): Promise<string> {
  const { where, env } = besideCompose();
  for (const roles of ['api,jobs', 'ingest', 'pages']) {
    const name = `roles-${roles.replace(',', '-')}`;
    const words = ['serve', '--roles', roles];
    await podman.run('run', '--detach', '--name', name, ...where, ...given(env), IMAGE, ...words);
    const isHealthy = () => podman.say('podman', ['healthcheck', 'run', name]).then(({ code }) => code === 0);
    await until(isHealthy, `${name} is healthy`);
    const asks =
      "fetch('http://127.0.0.1:3300/readyz').then(async (a) => console.log((await a.json()).roles.join()))";
    assert.equal(await podman.run('exec', name, 'node', '-e', asks), roles);
  }
  for (const name of ['roles-api-jobs', 'roles-ingest', 'roles-pages']) await stopInOrder(podman, name);
  return 'api,jobs and ingest and pages, each ready as itself';
}

async function probeApart(podman: Podman): Promise<string> {
  const server = `${PROJECT}_tocsin_1`;
  await podman.run('exec', server, 'tocsin', 'region', 'add', 'cluster', '--name', 'Cluster');
  const said = await podman.run('exec', server, 'tocsin', 'region', 'token', 'cluster');
  const [token = ''] = /tcp_[\w-]{43}/.exec(said) ?? [];
  const { where } = besideCompose();
  const env = { TOCSIN_PROBE_TOKEN: token, CANARIES: 'none' };
  const words = ['probe', '--url', 'http://tocsin:3300', '--data-dir', '/data'];
  await podman.run(
    'run',
    '--detach',
    '--name',
    'probe',
    '--volume',
    'probe:/data',
    ...where,
    ...given(env),
    IMAGE,
    ...words,
  );
  await until(async () => {
    const doctor = await podman.run('exec', server, 'tocsin', 'doctor');
    return /Regions online: 2/.test(doctor);
  }, 'the region of the probe is online');
  await stopInOrder(podman, 'probe');
  return 'its region is online';
}

/** In order: each builds on those before. */
export const STEPS: readonly Step[] = [
  { says: 'the image is made from Debian packages and the sources', act: makeImage },
  { says: 'all in one, closed and read-only', act: startAllInOne },
  { says: 'it stops in order, and another container goes on with its volume', act: replaceIt },
  { says: 'wrong settings end it', act: refuseSettings },
  { says: 'compose.yaml, with podman-compose', act: composeUp },
  { says: 'migrations as a job', act: migrateAsJob },
  { says: 'a container for each role', act: splitRoles },
  { says: 'a probe in a container', act: probeApart },
];
