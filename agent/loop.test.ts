import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Heartbeat, HeartbeatPost } from '#src/agents/protocol-contract.ts';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { heartbeatsIn } from '#test/harness/agent-server.ts';
import { until } from '#test/harness/until.ts';
import { openBuffer } from './buffer.ts';
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
  const steadyNowMs = () => {
    if (state.isClockBroken) throw new Error('no clock');
    return state.steadyMs;
  };
  const time = { boot: 'b', steadyNowMs, wallNowMs: () => 5 };
  const state = {
    steadyMs: 1_000_000,
    posts: [] as Heartbeat[][],
    inventories: 0,
    isRemoved: false,
    isClockBroken: false,
    areNamesBroken: false,
    /** Called before the server answers. */
    beforeAnswer: async () => {},
    said: [] as string[],
    reply: { ...REPLY, ...reply },
  };
  const link: Link = {
    enrol: () => Promise.reject(new Error('not asked for')),
    async heartbeat(_, body): Promise<Outcome<Reply>> {
      state.posts.push(heartbeatsIn(JSON.parse(body) as HeartbeatPost));
      await state.beforeAnswer();
      if (state.isRemoved) return { kind: 'unknown', message: 'no such agent' };
      return { kind: 'ok', value: state.reply, sentAtMs: state.steadyMs, receivedAtMs: state.steadyMs };
    },
    close: () => undefined,
  };
  const stopping = new AbortController();
  const store = openStore(await agentFolder());
  const inventory = async () => {
    state.inventories += 1;
    if (state.areNamesBroken) throw new Error('a defect');
    return NAMES;
  };
  const ended = runLoop({
    identity: { url: 'http://a', agentId: 'agt_1', credential: 'c' },
    ...{ store, link, time, collector: { collect, inventory } },
    ...{ log: (_, message) => void state.said.push(message), signal: stopping.signal },
  });
  t.after(async () => {
    stopping.abort();
    if (!state.isClockBroken) await ended;
  });
  const stop = () => {
    stopping.abort();
    return ended;
  };
  return { state, store, stop, ended };
}

test('a hanging reading does not delay a stop', async (t) => {
  const { stop } = await looping(t, {}, () => new Promise<never>(() => undefined));
  await stop();
});

/** Lets the agent's time pass, and all that follows from it happen. */
async function pass(t: TestContext, state: { steadyMs: number }, ms: number): Promise<void> {
  for (let i = 0; i < 50; i++) await turn();
  state.steadyMs += ms;
  t.mock.timers.tick(ms);
  for (let i = 0; i < 50; i++) await turn();
}

test('readings that fail cost their heartbeat, not the agent, and are logged once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let reads = 0;
  const { state } = await looping(t, {}, async () => {
    reads += 1;
    if ([1, 3, 4].includes(reads)) throw new Error('a defect');
    return BEAT;
  });
  for (const ms of [1_000, 60_000, 60_000, 60_000]) await pass(t, state, ms);
  assert.deepEqual([reads, state.posts.length], [5, 2]);
  const line = 'No readings, so this heartbeat is left out: a defect in this agent; it tries again';
  assert.deepEqual(state.said, [line, line], 'once each time it begins');
});

test('names that cannot be read hold up no heartbeat', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { state } = await looping(t, { inventoryEnabled: true });
  state.areNamesBroken = true;
  for (const ms of [1_000, 60_000, 60_000]) await pass(t, state, ms);
  assert.deepEqual([state.inventories, state.posts.length], [1, 3]);
  assert.deepEqual(state.said, [
    'No names of processes and services: a defect in this agent; it tries again',
  ]);
});

test('an agent that ends by a defect leaves on disk what it had not delivered', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { state, store, ended } = await looping(t);
  state.beforeAnswer = () => {
    state.isClockBroken = true;
    return new Promise(() => undefined);
  };
  const failed = assert.rejects(ended, /no clock/);
  await pass(t, state, 1_000);
  await failed;
  const [kept, ...more] = openBuffer({ dir: store.bufferDir, log: () => undefined }).oldest();
  assert.deepEqual([kept?.entry.beat, more], [BEAT, []]);
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
  state.isRemoved = true;
  await pass(t, state, 1_000);
  assert.equal(state.posts.length, 1);
  await pass(t, state, 9 * 60_000);
  assert.equal(state.posts.length, 1, 'while it is removed it asks rarely');
  // A database that was restored, say.
  state.isRemoved = false;
  await pass(t, state, 7 * 60_000);
  const answered = state.posts.length;
  assert.ok(answered > 1);
  await pass(t, state, 90_000);
  assert.ok(state.posts.length > answered);
});
