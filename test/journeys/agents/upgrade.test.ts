// A real agent of an older version, and a server that has a newer one (docs/rules/agents.md#upgrading-an-agent).
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { Agent, AgentEvent } from '#src/agents/contract.ts';
import type { BuiltFile } from '#src/platform/built-files.ts';
import { endBundling } from '#src/supervise/single-file.ts';
import { realClock, startTestApp, type TestApp } from '#test/harness/app.ts';
import { type AgentFile, buildAgent, builtOf, putAgent } from '#test/harness/built-agent.ts';
import { until } from '#test/harness/until.ts';

const OLD = '0.3.0';
const NEW = '0.4.0';
let old: BuiltFile;
let fresh: BuiltFile;

before(async () => {
  [old, fresh] = await Promise.all([buildAgent(OLD), buildAgent(NEW)]);
  await endBundling();
});

/** A server of the new version that has `served` to download. */
const server = (served: BuiltFile) =>
  startTestApp({ clock: realClock, version: NEW, builtFiles: { 'tocsin-agent.mjs': served } });

/** An agent of the old version, enrolled and asked to take over the server's. */
async function askedAgent(
  t: TestContext,
  app: TestApp,
): Promise<{ file: AgentFile; read: () => Promise<Agent> }> {
  const path = `/organizations/${app.home.orgId}/agents`;
  const { token } = await app.alice.ok<{ token: string }>('POST', `${path}/enrollment-tokens`, {});
  const file = await putAgent(t, old);
  const enrolled = await file.run(['enrol', '--url', app.url, '--name', 'web-1'], { TOCSIN_TOKEN: token });
  assert.equal(enrolled.code, 0, enrolled.output);
  const [agent] = await app.alice.ok<Agent[]>('GET', path);
  assert.equal(agent?.hostname, 'web-1');
  assert.equal(agent.agent_version, OLD);
  await app.alice.ok('POST', `${path}/${agent.id}/upgrade`);
  return { file, read: () => app.alice.ok<Agent>('GET', `${path}/${agent.id}`) };
}

const filesIn = ({ dataDir }: AgentFile) => {
  try {
    return readdirSync(join(dataDir, 'programs')).filter((name) => name.endsWith('.mjs'));
  } catch {
    return [];
  }
};

test('when the operator asks, an agent upgrades to its server’s version, and reports it', async (t) => {
  await using app = await server(fresh);
  const { file, read } = await askedAgent(t, app);
  const agent = file.start();
  await until(async () => (await read()).agent_version === NEW, `the new version reports: ${agent.output()}`);
  const { outdated, upgrade_asked, id } = await read();
  assert.deepEqual({ outdated, upgrade_asked }, { outdated: false, upgrade_asked: false });
  const events = await app.alice.ok<AgentEvent[]>(
    'GET',
    `/organizations/${app.home.orgId}/agents/${id}/events`,
  );
  assert.deepEqual(
    events.filter(({ kind }) => kind === 'upgraded').map(({ detail }) => detail),
    [`${OLD} → ${NEW}`],
  );
  // What was started is one process to its user: a signal ends both.
  const { code } = await agent.stop();
  assert.equal(code, 0, agent.output());
  assert.equal((await file.run(['--version'])).output, `${OLD}\n`, 'the installed file stays as it is');
});

test('under a service manager it exits with 75, and runs the new version at the next start', async (t) => {
  await using app = await server(fresh);
  const { file, read } = await askedAgent(t, app);
  const first = await file.start(['--service']).ended;
  assert.equal(first.code, 75, first.output);
  const second = file.start(['--service']);
  await until(
    async () => (await read()).agent_version === NEW,
    `the new version reports: ${second.output()}`,
  );
  assert.equal((await second.stop()).code, 0);
  const shown = await file.run(['--show']);
  assert.match(
    shown.output,
    new RegExp(`"agent_version": "${NEW}"`),
    'also what is shown is that of the new one',
  );
});

/** Says its version when asked, as what is tried after the download does, and then fails. */
const failing = (how: string) =>
  builtOf(NEW, `if (process.argv[2] === '--version') { console.log('${NEW}'); process.exit(); }\n${how}`);

for (const [name, how, starts] of [
  ['cannot be loaded', `throw new Error('no');`, 1],
  ['dies soon after its start', `await new Promise((go) => setTimeout(go, 20)); process.exit(3);`, 4],
] as const)
  test(`a new version that ${name} is rolled back, and not downloaded again`, async (t) => {
    await using app = await server(failing(how));
    const { file, read } = await askedAgent(t, app);
    assert.equal((await file.start(['--service']).ended).code, 75);
    for (let i = 1; i < starts; i++)
      assert.equal((await file.start(['--service']).ended).code, 3, `start ${i}`);
    const back = file.start(['--service']);
    await until(() => /was fetched before, and did not start/.test(back.output()), 'it refuses it', 30_000);
    assert.equal((await read()).agent_version, OLD);
    assert.ok((await read()).online);
    assert.equal((await back.stop()).code, 0);
  });

test('a file whose checksum differs from the announced one is not kept', async (t) => {
  await using app = await server({ ...fresh, sha256: 'a'.repeat(64) });
  const { file, read } = await askedAgent(t, app);
  const agent = file.start();
  await until(() => /and the server announced a{64}/.test(agent.output()), 'it says so', 30_000);
  assert.deepEqual(filesIn(file), []);
  assert.equal((await read()).agent_version, OLD);
  assert.equal((await agent.stop()).code, 0);
});

test('a file that does not start on this machine never replaces the agent', async (t) => {
  await using app = await server(builtOf(NEW, `this is no program`));
  const { file } = await askedAgent(t, app);
  const agent = file.start();
  await until(() => /does not start on this machine/.test(agent.output()), 'it says so', 30_000);
  assert.equal((await agent.stop()).code, 0);
  const again = file.start();
  await until(() => /did not start on this machine/.test(again.output()), 'it is not fetched again', 30_000);
  assert.equal((await again.stop()).code, 0);
});

test('with --no-upgrade the agent keeps its version', async (t) => {
  await using app = await server(fresh);
  const { file, read } = await askedAgent(t, app);
  const agent = file.start(['--no-upgrade']);
  await until(() => /it was started with --no-upgrade/.test(agent.output()), 'it says so', 30_000);
  assert.equal((await read()).agent_version, OLD);
  assert.equal((await agent.stop()).code, 0);
  assert.deepEqual(filesIn(file), []);
});

test('a server whose own build failed, and that has an older file, changes nothing', async (t) => {
  await using app = await server({ ...fresh, version: OLD });
  const { file, read } = await askedAgent(t, app);
  const agent = file.start();
  await until(async () => (await read()).online, 'it reports', 30_000);
  assert.ok((await read()).upgrade_asked);
  assert.equal((await agent.stop()).code, 0);
  assert.doesNotMatch(agent.output(), /upgrade/);
});
