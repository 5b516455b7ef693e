// A real process of the agent against a real server, with a line between them that can be cut
// (docs/rules/agents.md#buffering).
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openBuffer } from '#agent/buffer.ts';
import { agentClock } from '#agent/clock.ts';
import { openLink } from '#agent/link.ts';
import { openSender } from '#agent/sender.ts';
import type { Agent } from '#src/agents/contract.ts';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { runAgentProcess, startAgentProcess } from '#test/harness/agent-process.ts';
import { makeAgent } from '#test/harness/agents.ts';
import { realClock, startTestApp, type TestApp } from '#test/harness/app.ts';
import { httpServer } from '#test/harness/listeners.ts';
import { until } from '#test/harness/until.ts';

/** Passes requests on; heartbeats are asked for each second, so that a test of an outage is short. */
async function lineTo(t: TestContext, target: string) {
  const line = { url: '', cut: false };
  const port = await httpServer(t, (incoming, response) => {
    if (line.cut) return void incoming.socket.destroy();
    const { method, url, headers } = incoming;
    // A connection of its own for each: one that was kept open over the outage may be closed by the
    // server in the moment it is used again.
    const onward = request(new URL(url ?? '', target), { method, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        response.writeHead(answer.statusCode ?? 500, { 'content-type': 'application/json' });
        response.end(text.replace('"interval_seconds":60', '"interval_seconds":1'));
      });
    });
    onward.on('error', () => incoming.socket.destroy());
    incoming.pipe(onward);
  });
  line.url = `http://127.0.0.1:${port}`;
  return line;
}

async function enrolledAt(t: TestContext, app: TestApp) {
  const line = await lineTo(t, app.url);
  const dataDir = await agentFolder();
  const agents = `/organizations/${app.home.orgId}/agents`;
  const { token } = await app.alice.ok<{ token: string }>('POST', `${agents}/enrollment-tokens`, {});
  const words = ['--url', line.url, '--token', token, '--data-dir', dataDir];
  const agent = await startAgentProcess(t, [...words, '--labels', 'env=test', '--name', 'host-of-test']);
  const list = () => app.alice.ok<Agent[]>('GET', agents);
  await until(async () => (await list()).some(({ online }) => online), 'an agent that is online');
  const [{ id }] = (await list()) as [Agent];
  const stored = async () =>
    (
      await sql<{ at: Date; sent_ms: string }>`
        SELECT at, sent_ms FROM agent_readings r JOIN agents a ON a.no = r.agent_no WHERE a.id = ${id} ORDER BY at`.execute(
        app.db,
      )
    ).rows.map(({ at, sent_ms }) => ({ atMs: at.getTime(), sentMs: Number(sent_ms) }));
  return { line, dataDir, agent, words, agents, id, list, stored };
}

/** The times of what the agent keeps on disk; the folder is made with the first of it. */
function keptIn(dataDir: string): number[] {
  const dir = join(dataDir, 'buffer');
  if (!existsSync(dir)) return [];
  const lines = readdirSync(dir).flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n'));
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line).atMs);
}

test('an agent enrols, reports its machine, and is refused after its removal', async (t) => {
  await using app = await startTestApp({ clock: realClock });
  const { agent, agents, id, list, words } = await enrolledAt(t, app);
  const [host] = (await list()) as [Agent];
  assert.equal(host.hostname, 'host-of-test');
  assert.equal(host.labels, 'env=test');
  assert.deepEqual([host.platform, host.arch], [process.platform, process.arch]);
  assert.ok(host.modules.includes('cpu') && host.last_mem_pct! > 0 && host.last_cpu_pct !== null);
  assert.ok(Math.abs(host.booted_at_unix! * 1000 - (Date.now() - 1000 * uptime())) < 5_000);

  await app.alice.ok('DELETE', `${agents}/${id}`);
  await until(() => agent.log().includes('it was removed there'), 'its log');
  const once = await runAgentProcess([...words, '--once']);
  assert.equal(once.code, 1);
  assert.match(once.err, /the server no longer knows this agent/);
});

test('the server is down while the agent is killed and restarted: nothing is lost, and order is kept', async (t) => {
  await using app = await startTestApp({ clock: realClock });
  const { line, dataDir, agent, words, stored } = await enrolledAt(t, app);
  await until(async () => (await stored()).length >= 3, 'some heartbeats');
  line.cut = true;
  await until(() => agent.log().includes('cannot be reached'), 'its log');
  await until(() => keptIn(dataDir).length >= 3, 'kept heartbeats');
  await agent.end('SIGKILL');
  const second = await startAgentProcess(t, words);
  await until(() => keptIn(dataDir).length >= 6, 'heartbeats of the second start');
  const kept = keptIn(dataDir);
  line.cut = false;
  await until(async () => {
    const sent = new Set((await stored()).map(({ sentMs }) => sentMs));
    return kept.every((ms) => sent.has(ms));
  }, 'everything that was kept');
  assert.equal(await second.end('SIGTERM'), 0);
  const all = await stored();
  assert.equal(new Set(all.map(({ sentMs }) => sentMs)).size, all.length);
  // An agent that knows the server's time has its own times taken as they are.
  for (const { atMs, sentMs } of all.filter(({ sentMs }) => kept.includes(sentMs)))
    assert.equal(atMs, sentMs);
});

for (const [how, setMs] of [
  ['set back by a day', -86_400_000],
  ['set ahead by a month', 30 * 86_400_000],
] as const)
  test(`a day without a server, and the clock of the machine ${how} meanwhile: each heartbeat has its true time`, async (t) => {
    await using app = await startTestApp();
    const agent = await makeAgent(app, app.home);
    const machine = { steadyMs: 5_000_000, wallMs: app.clock.ms() - 7_000 };
    const pass = (ms: number) => {
      machine.steadyMs += ms;
      machine.wallMs += ms;
    };
    const steadyNowMs = () => machine.steadyMs;
    const clock = agentClock({ boot: 'b', steadyNowMs, wallNowMs: () => machine.wallMs }, null);
    const log = () => undefined;
    const stopping = new AbortController();
    const { signal } = stopping;
    const buffer = openBuffer({ dir: join(await agentFolder(), 'buffer'), log });
    const link = openLink({ url: app.url, log, steadyNowMs, signal });
    t.after(() => {
      stopping.abort();
      link.close();
    });
    const { credential } = agent;
    const sender = openSender({
      ...{ credential, link, buffer, clock, log, signal },
      ...{ onReply: () => undefined, onRemovedChange: () => undefined },
    });
    const measured = (cpu_pct: number) => {
      const moment = clock.now();
      return {
        moment,
        atMs: clock.stamp(moment),
        beat: { agent_version: '1', modules: ['cpu'], readings: { cpu_pct } },
      };
    };
    sender.offer(measured(0), null);
    await sender.settled();
    const firstMs = app.clock.ms();
    for (let i = 1; i < 1_440; i++) {
      pass(60_000);
      if (i === 700) machine.wallMs += setMs;
      buffer.add(measured(i / 100));
      buffer.save();
    }
    pass(60_000);
    app.clock.advance(1_440 * 60_000);
    sender.offer(measured(14.4), null);
    await sender.settled();
    const { rows } = await sql<{ at: Date; cpu_pct: number }>`
      SELECT at, cpu_pct FROM agent_readings WHERE agent_no = ${agent.no} ORDER BY at`.execute(app.db);
    assert.equal(rows.length, 1_441);
    for (const [i, { at, cpu_pct }] of rows.entries()) {
      assert.equal(at.getTime(), firstMs + i * 60_000);
      assert.equal(cpu_pct, i / 100);
    }
    assert.equal(buffer.size, 0);
  });
