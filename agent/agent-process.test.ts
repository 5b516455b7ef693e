// A real agent process against the test's server (docs/rules/agents.md#protocol).
import assert from 'node:assert/strict';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { runAgentProcess, startAgentProcess } from '#test/harness/agent-process.ts';
import { agentServer, CREDENTIAL, heartbeatsIn } from '#test/harness/agent-server.ts';
import { smallDisk } from '#test/harness/small-disk.ts';
import { until } from '#test/harness/until.ts';
import { enrolMachine } from './service/enrol-machine.ts';

async function enrolled(t: TestContext) {
  const server = await agentServer(t);
  const dataDir = await agentFolder();
  const agent = await startAgentProcess(t, ['--url', server.url, '--token', 'tok', '--data-dir', dataDir]);
  await until(() => server.accepted.length > 0, agent.log());
  return { server, dataDir, agent, words: ['--data-dir', dataDir] };
}

const times = (heartbeats: readonly { sent_at_ms: number }[]) =>
  heartbeats.map(({ sent_at_ms }) => sent_at_ms);

function assertInOrder(heartbeats: readonly { sent_at_ms: number }[]): void {
  assert.deepEqual(
    times(heartbeats),
    times(heartbeats).toSorted((a, b) => a - b),
  );
  assert.equal(new Set(times(heartbeats)).size, heartbeats.length);
}

test('the agent enrols once, keeps its credential readable by its user only, and needs no token afterwards', async (t) => {
  const { server, dataDir, agent, words } = await enrolled(t);
  const [enrolment, first] = server.posts;
  assert.equal(enrolment?.path, '/agent/enroll');
  const said = enrolment.body as unknown as Record<string, string>;
  assert.equal(said.token, 'tok');
  assert.equal(said.platform, process.platform);
  assert.match(said.enrollment_id ?? '', /^[0-9a-f]{32}$/);
  assert.equal(first?.credential, CREDENTIAL);
  assert.equal((await stat(join(dataDir, 'agent.json'))).mode & 0o777, 0o600);
  assert.equal(await agent.end('SIGTERM'), 0);

  const before = server.posts.length;
  await startAgentProcess(t, words);
  await until(() => server.posts.length > before, 'a heartbeat of the second start');
  assert.equal(server.posts[before]!.path, '/agent/heartbeat');
});

test('heartbeats carry readings of this machine, and no names without the opt-in', async (t) => {
  const { server } = await enrolled(t);
  const [heartbeat] = server.accepted;
  const { readings, modules } = heartbeat!;
  for (const name of ['cpu_pct', 'mem_pct', 'load1', 'net_rx_bps', 'uptime_seconds'] as const)
    assert.equal(typeof readings[name], 'number', name);
  assert.ok(modules.includes('cpu') && modules.includes('memory'), modules.join());
  assert.ok(!('processes' in heartbeat!) && !('service_inventory' in heartbeat!));

  server.reply.inventory_enabled = true;
  server.reply.watched_services = [
    { kind: 'process', name: 'node' },
    { kind: 'process', name: 'no-such' },
  ];
  await until(() => server.accepted.some(({ processes }) => processes?.includes('node')), 'an inventory');
  const known = server.accepted.findLast(({ services }) => services?.length === 2)!;
  assert.deepEqual(
    known.services?.map(({ name, running }) => [name, running]),
    [
      ['node', true],
      ['no-such', false],
    ],
  );
  for (const name of server.accepted.flatMap(({ processes }) => processes ?? []))
    assert.doesNotMatch(name, /agent\/single-file|--data-dir/);
});

test('after an outage the server receives every heartbeat in order, including those from before a kill', async (t) => {
  const { server, agent, words } = await enrolled(t);
  server.answer = () => ({ status: 503, headers: { 'retry-after': '1' } });
  const refusedAt = server.posts.length;
  await until(() => server.posts.length > refusedAt + 1, 'two refused posts');
  const lost = new Set(server.posts.slice(refusedAt).flatMap(({ body }) => times(heartbeatsIn(body))));
  assert.equal(await agent.end('SIGKILL'), 'SIGKILL');

  server.answer = undefined;
  const second = await startAgentProcess(t, words);
  await until(() => [...lost].every((ms) => times(server.accepted).includes(ms)), second.log());
  assertInOrder(server.accepted);
  await until(() => /answers again|Agent started/.test(second.log()), 'its log');
});

test('a stopping agent keeps undelivered heartbeats, and exits within two seconds', async (t) => {
  const { server, dataDir, agent } = await enrolled(t);
  server.answer = () => 'hang';
  const asked = server.posts.length;
  await until(() => server.posts.length > asked, 'a post that is not answered');
  const began = performance.now();
  assert.equal(await agent.end('SIGINT'), 0);
  assert.ok(performance.now() - began < 2_000);
  assert.notDeepEqual(await readdir(join(dataDir, 'buffer')), []);
});

test('a refused post is split in half until the refused heartbeat is found and dropped', async (t) => {
  const { server, agent } = await enrolled(t);
  server.answer = () => ({ status: 503 });
  await until(async () => server.posts.length > 4, 'some refused posts');
  let bad: number | undefined;
  server.answer = ({ body }) => {
    bad ??= heartbeatsIn(body)[1]?.sent_at_ms;
    if (!times(heartbeatsIn(body)).includes(bad ?? 0)) return undefined;
    return { status: 400, body: { error: 'invalid_request', message: 'This one is bad.' } };
  };
  await until(() => agent.log().includes('This one is bad.'), 'a dropped heartbeat');
  await until(() => server.accepted.length > 4, 'the others');
  assertInOrder(server.accepted);
  assert.ok(!times(server.accepted).includes(bad!));
});

test('a removed agent says so and does not retry soon; with --once it fails', async (t) => {
  const { server, agent, words } = await enrolled(t);
  server.answer = () => ({ status: 401, body: { error: 'unauthenticated', message: 'Unknown credential.' } });
  await until(() => agent.log().includes('it was removed there'), 'its log');
  const asked = server.posts.length;
  const once = await runAgentProcess([...words, '--once']);
  assert.equal(once.code, 1);
  assert.match(
    once.err,
    /removed there \(Unknown credential\.\).*remove .*agent\.json and give --url and --token/,
  );
  // Its interval is a second, and the other process took longer.
  assert.equal(server.posts.length, asked + 1);
});

test('--once sends one heartbeat, and fails if the server is down', async (t) => {
  const { server, agent, words } = await enrolled(t);
  await agent.end('SIGTERM');
  const before = server.accepted.length;
  assert.deepEqual(await runAgentProcess([...words, '--once']), { code: 0, out: '', err: '' });
  assert.equal(server.accepted.length, before + 1);
  server.answer = () => ({ status: 503 });
  const refused = await runAgentProcess([...words, '--once']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /the heartbeat was not accepted: The server accepts no requests now \(503\)/);
});

test('--show prints the heartbeat and sends nothing', async (t) => {
  const { server, agent, words } = await enrolled(t);
  await agent.end('SIGTERM');
  const before = server.posts.length;
  const { code, out } = await runAgentProcess([...words, '--show']);
  assert.equal(code, 0);
  assert.equal(server.posts.length, before);
  const shown = JSON.parse(out)['POST /agent/heartbeat'];
  assert.deepEqual(Object.keys(shown), Object.keys(server.accepted.at(-1)!));
});

test('the agent accepts no redirect, no foreign server and no oversized answer, and keeps its heartbeats', async (t) => {
  const { server, agent } = await enrolled(t);
  for (const [given, log] of [
    [{ status: 302, headers: { location: 'http://127.0.0.1:9/' } }, /No Tocsin server answers at .* \(302\)/],
    [{ status: 200, body: '<html>sign in</html>' }, /No Tocsin server answers at .* \(200\)/],
    [{ status: 200, body: { interval_seconds: 1, more: 'x'.repeat(70_000) } }, /the answer is too large/],
  ] as const) {
    const from = server.accepted.length;
    server.answer = () => given;
    await until(() => log.test(agent.log()), String(log));
    server.answer = undefined;
    await until(() => server.accepted.length > from + 1, 'heartbeats again');
  }
});

test('for invalid options and files the error says what to do', async (t) => {
  const server = await agentServer(t);
  const dataDir = await agentFolder();
  const at = ['--url', server.url, '--data-dir', dataDir];
  const cases: [words: string[], code: number, sentence: RegExp][] = [
    [['--tokn', 'x'], 2, /--tokn is not an option\. Did you mean --token\?/],
    [['start'], 2, /"start" is one word too many/],
    [['--url', 'tocsin.example.com'], 2, /is not an http or https address/],
    // As a URL, "localhost" would be its scheme.
    [['install', '--url', 'localhost:3300', '--print'], 2, /--url "localhost:3300" is not an http or https/],
    [['enrol', '--url', 'tocsin.example.com'], 1, /--url "tocsin.example.com" is not an http or https/],
    [at, 2, /not enrolled yet: give --url, and --token/],
  ];
  for (const [words, code, sentence] of cases) {
    const ended = await runAgentProcess(words);
    assert.equal(ended.code, code, words.join(' '));
    assert.match(ended.err, sentence);
  }
  // An empty variable is none, as in a unit file whose lines wait to be filled in.
  const empty = { TOCSIN_URL: '', TOCSIN_TOKEN: '' };
  assert.match((await runAgentProcess(['--data-dir', dataDir], empty)).err, /not enrolled yet: give --url/);
  assert.match((await runAgentProcess(['enrol', ...at], empty)).err, /not enrolled yet: give --token/);
  server.answer = () => ({
    status: 401,
    body: { error: 'unauthenticated', message: 'This token has no uses left.' },
  });
  const used = await runAgentProcess([...at, '--token', 'used']);
  assert.equal(used.code, 1);
  assert.match(used.err, /does not accept this enrolment token\. This token has no uses left\./);

  server.answer = undefined;
  assert.equal((await runAgentProcess([...at, '--token', 'good', '--once'])).code, 0);
  const elsewhere = await runAgentProcess(['--url', 'https://other.example', '--data-dir', dataDir]);
  assert.equal(elsewhere.code, 2);
  assert.match(
    elsewhere.err,
    /is enrolled at http:\/\/127\.0\.0\.1.* and --url says https:\/\/other\.example/,
  );

  await chmod(join(dataDir, 'agent.json'), 0o640);
  const open = await runAgentProcess(['--data-dir', dataDir, '--once']);
  assert.equal(open.code, 1);
  assert.match(open.err, /Other users of this machine may read .*chmod 600/);
});

test('a reinstallation knows its server, whether or not the address ends with a slash', async (t) => {
  const server = await agentServer(t);
  server.answer = ({ path }) =>
    path.endsWith('/agent/enroll')
      ? { status: 200, body: { agent_id: 'agt_1', credential: 'c', interval_seconds: 60 } }
      : undefined;
  const machine = { token: 'tok', dataDir: await agentFolder(), labels: undefined, name: undefined };
  const first = await enrolMachine({ ...machine, url: `${server.url}/tocsin` });
  assert.equal(await enrolMachine({ ...machine, url: `${server.url}/tocsin/` }), first);
  await assert.rejects(enrolMachine({ ...machine, url: server.url }), /is enrolled at .*, not at/);
});

test('a full disk disables the buffer and nothing else', async (t) => {
  await using disk = await smallDisk(1);
  if (disk === null) return t.skip('this user may mount no file system');
  const server = await agentServer(t);
  const dataDir = join(disk.dir, 'agent');
  const agent = await startAgentProcess(t, ['--url', server.url, '--token', 'tok', '--data-dir', dataDir]);
  await until(() => server.accepted.length > 0, agent.log());
  await writeFile(join(disk.dir, 'filler'), Buffer.alloc(2 * 1024 * 1024)).catch(() => undefined);
  server.answer = () => ({ status: 503 });
  await until(() => agent.log().includes('cannot be kept on disk'), 'its log');
  const kept = new Set(server.posts.slice(1).flatMap(({ body }) => times(heartbeatsIn(body))));
  server.answer = undefined;
  await until(() => times(server.accepted).some((ms) => ms > Math.max(...kept)), 'heartbeats again');
  for (const ms of kept) assert.ok(times(server.accepted).includes(ms));
  assertInOrder(server.accepted);
  assert.equal(await agent.end('SIGTERM'), 0);
});
