import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Heartbeat, HeartbeatPost } from '#src/agents/protocol-contract.ts';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { heartbeatsIn } from '#test/harness/agent-server.ts';
import { until } from '#test/harness/until.ts';
import type { Beat } from './heartbeat.ts';
import type { Link, Outcome } from './link.ts';
import { runLoop } from './loop.ts';
import type { Reply } from './reply.ts';
import { openStore } from './store.ts';

const BEAT: Beat = { agent_version: '1', modules: [], readings: { cpu_pct: 1 } };
const NAMES = { processes: ['init'], service_inventory: [] };
const REPLY: Reply = {
  ...{ intervalSeconds: 60, serverTimeMs: 1_800_000_000_000, watched: [] },
  ...{ inventoryEnabled: false, dropped: [], upgrade: null },
};

/** A loop with the test's server, and a clock that the test moves. */
async function looping(
  t: TestContext,
  reply: Partial<Reply> = {},
  collect = async (): Promise<Beat> => BEAT,
) {
  const time = { boot: 'b', steadyNowMs: () => state.steadyMs, wallNowMs: () => 5 };
  const state = {
    steadyMs: 1_000_000,
    posts: [] as Heartbeat[][],
    inventories: 0,
    isRemoved: false,
    reply: { ...REPLY, ...reply },
  };
  const link: Link = {
    enrol: () => Promise.reject(new Error('not asked for')),
    async heartbeat(_, body): Promise<Outcome<Reply>> {
      state.posts.push(heartbeatsIn(JSON.parse(body) as HeartbeatPost));
      if (state.isRemoved) return { kind: 'unknown', message: 'no such agent' };
      return { kind: 'ok', value: state.reply, sentAtMs: state.steadyMs, receivedAtMs: state.steadyMs };
    },
    close: () => undefined,
  };
  const stopping = new AbortController();
  const store = openStore(await agentFolder());
  const inventory = async () => {
    state.inventories += 1;
    return NAMES;
  };
  const ended = runLoop({
    identity: { url: 'http://a', agentId: 'agt_1', credential: 'c' },
    ...{ store, link, time, collector: { collect, inventory } },
    ...{ log: () => undefined, signal: stopping.signal },
  });
  t.after(async () => {
    stopping.abort();
    await ended;
  });
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { state, store, stop };
}

test('a hanging reading does not delay a stop', async (t) => {
  const { stop } = await looping(t, {}, () => new Promise<never>(() => undefined));
  await stop();
});

test('what the server requests is kept across a restart while the server is down', async (t) => {
  const watched = [{ kind: 'systemd', name: 'nginx' } as const];
  const { state, store } = await looping(t, { intervalSeconds: 3_600, watched, inventoryEnabled: true });
  await until(() => store.readSettings() !== null, 'kept settings');
  const bearings = { boot: 'b', offsetMs: 1_800_000_000_000 - state.steadyMs };
  assert.deepEqual(store.readSettings(), {
    intervalSeconds: 3_600,
    watched,
    inventoryEnabled: true,
    bearings,
  });
});

test('with the opt-in names are sent with the next heartbeat, and then only now and then', async (t) => {
  const { state } = await looping(t, { intervalSeconds: 1, inventoryEnabled: true });
  await until(() => state.posts.length > 3, 'four heartbeats');
  assert.deepEqual(
    state.posts.slice(0, 4).map(([heartbeat]) => heartbeat?.processes),
    [undefined, ['init'], undefined, undefined],
  );
  state.steadyMs += 16 * 60_000;
  await until(() => state.inventories > 1, 'a second look');
  state.reply.inventoryEnabled = false;
  const then = state.posts.length + 1;
  await until(() => state.posts.length > then, 'an answer without the opt-in');
  state.steadyMs += 16 * 60_000;
  const after = state.posts.length;
  await until(() => state.posts.length > after + 1, 'more heartbeats');
  assert.equal(state.inventories, 2);
});

test('an agent that the server knows again reports at its interval from the first answer on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { state } = await looping(t);
  /** Lets time pass, and all that follows from it happen. */
  const pass = async (ms: number) => {
    for (let i = 0; i < 50; i++) await turn();
    state.steadyMs += ms;
    t.mock.timers.tick(ms);
    for (let i = 0; i < 50; i++) await turn();
  };
  state.isRemoved = true;
  await pass(1_000);
  assert.equal(state.posts.length, 1);
  await pass(9 * 60_000);
  assert.equal(state.posts.length, 1, 'while it is removed it asks rarely');
  // A database that was restored, say.
  state.isRemoved = false;
  await pass(7 * 60_000);
  const answered = state.posts.length;
  assert.ok(answered > 1);
  await pass(90_000);
  assert.ok(state.posts.length > answered);
});
