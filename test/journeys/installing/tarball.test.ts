// Tocsin from its tarball, in an empty folder, with no checkout and no package for development (docs/installing.md#from-the-tarball).
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { renamed } from '#pack/compile.ts';
import { makeClient, signIn } from '#test/harness/client.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { machineNode } from '#test/harness/machine-node.ts';
import { startTarget } from '#test/harness/target.ts';
import { until } from '#test/harness/until.ts';

const ROOT = join(import.meta.dirname, '../../..');
const run = promisify(execFile);
/** A first start: nothing is compiled yet, and the database is made. */
const START_WITHIN_MS = 180_000;
/** What npm says of a registry that cannot be reached. */
const UNREACHABLE =
  /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|NOTCACHED)\b/;

/** The machine's own Node and npm, and nothing of the checkout or of the npm that runs these tests. */
const env = {
  PATH: [dirname(machineNode()), ...(process.env.PATH ?? '').split(delimiter)]
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
  HOME: process.env.HOME,
};

/** A folder in which the tarball is installed; null with the reason where npm reaches no registry. */
async function install(t: TestContext): Promise<string | null> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-tarball-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  // The PostgreSQL of root runs as another user, who must get there.
  await chmod(dir, 0o755);
  const { stdout } = await run('npm', ['pack', '--pack-destination', dir], { cwd: ROOT, env });
  const tarball = join(dir, stdout.trim().split('\n').at(-1) ?? '');
  const app = join(dir, 'app');
  await mkdir(app);
  const words = ['install', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  try {
    await run('npm', [...words, tarball], { cwd: app, env });
  } catch (error) {
    const { stderr } = error as { stderr: string };
    if (!UNREACHABLE.test(stderr)) throw error;
    t.skip(`npm reaches no registry: ${UNREACHABLE.exec(stderr)?.[0]}`);
    return null;
  }
  return app;
}

/** What the install script of the package `node` does: puts Node where `tocsin` looks for it. */
async function bringNode(app: string): Promise<void> {
  const require = createRequire(join(app, 'node_modules/tocsin/package.json'));
  const folder = join(dirname(require.resolve('node/package.json')), 'bin');
  await mkdir(folder, { recursive: true });
  const place = join(folder, 'node');
  await link(process.execPath, place).catch(() => copyFile(process.execPath, place));
}

type Said = { code: number; out: string; err: string };

/** A command in that folder: what `npx tocsin` starts, without npm's own second of the processor. */
const tocsin = (app: string, words: readonly string[], more: Record<string, string> = {}) =>
  new Promise<Said>((resolve) => {
    const program = join(app, 'node_modules/.bin/tocsin');
    execFile(program, words, { cwd: app, env: { ...env, ...more } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });

/** `npx tocsin serve` in a terminal: what it prints, and Ctrl-C, which reaches every process of the terminal. */
function serve(app: string, more: Record<string, string>) {
  const child = spawn('npx', ['tocsin', 'serve'], {
    cwd: app,
    env: { ...env, ...more },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Once the last process of it has closed its output; npx itself ends before.
  const ended = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const interrupt = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGINT');
    await ended;
  };
  return { output: () => output, interrupt, hasEnded: () => child.exitCode !== null };
}

test('installed from its tarball in an empty folder, Tocsin serves, checks and examines itself', async (t) => {
  const app = await install(t);
  if (app === null) return;
  if (Number.parseInt(await version(machineNode()), 10) < 26) {
    const { code, err } = await tocsin(app, ['--version']);
    assert.deepEqual([code, /npm rebuild node --ignore-scripts=false/.test(err)], [1, true], err);
  }
  await bringNode(app);
  const help = await tocsin(app, []);
  assert.equal(help.code, 0, help.err);
  assert.match(help.out, /^Usage: tocsin/);
  assert.match((await tocsin(app, ['sevre'])).err, /Did you mean serve\?/);

  const target = await startTarget();
  t.after(() => target.stop());
  const port = String(await closedPort());
  const admin = { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password };
  const settings = { PORT: port, CANARIES: 'none', ...admin };
  const server = serve(app, settings);
  t.after(() => server.interrupt());
  const isOver = () => server.hasEnded() || server.output().includes('Ctrl-C stops everything');
  await until(isOver, 'it serves', START_WITHIN_MS);
  assert.match(server.output(), /ready in \d+ ms/);
  assert.ok(
    server.output().includes(`PostgreSQL in ${join(app, 'data/postgres')}`),
    'it prints where its data is',
  );
  assert.doesNotMatch(server.output(), /built|building|"level":"(?:warn|error)"/, 'a start builds nothing');

  const url = `http://127.0.0.1:${port}`;
  const page = await (await fetch(`${url}/app`)).text();
  const script = /<script type="module"[^>]* src="([^"]+)"/.exec(page)?.[1];
  const paths = [
    script,
    '/docs',
    '/openapi.json',
    '/download/tocsin-agent.mjs',
    '/download/tocsin-probe.mjs',
  ];
  const found = await Promise.all(paths.map(async (path) => (await fetch(url + path)).status));
  assert.deepEqual(found, [200, 200, 200, 200, 200]);

  const alice = makeClient(url);
  await signIn(alice, ADMIN.email, ADMIN.password);
  const [{ id: orgId } = { id: '' }] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const [project] = await alice.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  // A pattern is looked for in a thread of its own.
  const monitor = await alice.ok<{ id: string }>('POST', `/projects/${project?.id}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url: target.url, keyword: { text: 'all.*well', mode: 'regex' } },
    interval_seconds: 1,
  });
  const checks = () => alice.ok<{ status: string }[]>('GET', `/monitors/${monitor.id}/checks`);
  await until(async () => (await checks()).some(({ status }) => status === 'up'), 'the probe checks');

  const doctor = await tocsin(app, ['doctor'], settings);
  assert.match(doctor.out, /^OK +database/m, doctor.err);
  await server.interrupt();
  assert.match(server.output(), /"msg":"stopped"/);
  assert.ok(existsSync(join(app, 'data/secret-key')));
});

test('a module is named by its compiled file wherever it is imported, or started as a thread or a process', () => {
  const rows: [compiled: string, expected: string][] = [
    ['import { a } from "./a.ts";', 'import { a } from "./a.js";'],
    ['export * from "#src/domain/a.ts";', 'export * from "#src/domain/a.js";'],
    ['const a = () => import("../a/b.ts");', 'const a = () => import("../a/b.js");'],
    ['new URL("./worker.ts", import.meta.url)', 'new URL("./worker.js", import.meta.url)'],
    ['join(import.meta.dirname, "../main.ts")', 'join(import.meta.dirname, "../main.js")'],
    ['const entry = "agent/single-file.ts";', 'const entry = "agent/single-file.ts";'],
    ['import a from "package.ts";', 'import a from "package.ts";'],
  ];
  for (const [compiled, expected] of rows) assert.equal(renamed('a.ts', compiled), expected);
  const hidden = 'x();\njoin(import.meta.dirname, "server-process.ts")';
  assert.throws(
    () => renamed('a.ts', hidden),
    /^Error: a\.ts: begin the path with \.\/ .*server-process\.ts/,
  );
});

const version = async (node: string) => (await run(node, ['-p', 'process.versions.node'])).stdout;
