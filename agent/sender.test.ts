// Delivery to the test's server, step by step (docs/rules/agents.md#buffering).
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { HeartbeatPost } from '#src/agents/protocol-contract.ts';
import { agentFolder } from '#test/harness/agent-folder.ts';
import { heartbeatsIn } from '#test/harness/agent-server.ts';
import { until } from '#test/harness/until.ts';
import { openBuffer } from './buffer.ts';
import { agentClock } from './clock.ts';
import type { Entry } from './heartbeat.ts';
import type { Link, Outcome } from './link.ts';
import type { Reply } from './reply.ts';
import { openSender } from './sender.ts';

const REPLY: Reply = {
  ...{ intervalSeconds: 60, serverTimeMs: null, watched: [] },
  ...{ inventoryEnabled: false, dropped: [], upgrade: null },
};
const OK: Outcome<Reply> = { kind: 'ok', value: REPLY, sentAtMs: 0, receivedAtMs: 0 };
const LATER: Outcome<Reply> = { kind: 'later', retryAfterMs: 0, message: 'not now' };
const REFUSED: Outcome<Reply> = { kind: 'refused', status: 400, message: 'no heartbeats' };

const entry = (atMs: number): Entry => ({
  moment: { boot: 'b', steadyMs: atMs, wallMs: atMs },
  atMs,
  beat: { agent_version: '1', modules: [], readings: { cpu_pct: 1 } },
});

/** A sender with this many heartbeats on disk; `answer` is called with the times of each post. */
async function sending(
  t: TestContext,
  kept: number,
  answer: (times: number[], posts: number) => Outcome<Reply>,
) {
  const dir = join(await agentFolder(), 'buffer');
  const stopping = new AbortController();
  const said: string[] = [];
  const log = (_: string, message: string) => void said.push(message);
  const buffer = openBuffer({ dir, log });
  for (let ms = 1; ms <= kept; ms++) {
    buffer.add(entry(ms));
    if (ms % 100 === 0 || ms === kept) buffer.save();
  }
  const posts: number[][] = [];
  const link: Link = {
    enrol: () => Promise.reject(new Error('not asked for')),
    async heartbeat(_, body) {
      await turn();
      const times = heartbeatsIn(JSON.parse(body) as HeartbeatPost).map(({ sent_at_ms }) => sent_at_ms);
      posts.push(times);
      return answer(times, posts.length);
    },
    close: () => undefined,
  };
  const time = { boot: 'b', steadyNowMs: () => 1e6, wallNowMs: () => 1e6 };
  const sender = openSender({
    ...{ credential: 'c', link, buffer, clock: agentClock(time, { boot: 'b', offsetMs: 0 }), log },
    ...{
      onReply: () => undefined,
      onRemovedChange: () => undefined,
      signal: stopping.signal,
      random: () => 0,
    },
  });
  t.after(async () => {
    stopping.abort();
    await sender.settled();
  });
  return { dir, buffer, posts, sender, said };
}

test('failed posts shrink down to twenty heartbeats, and grow again with each success', async (t) => {
  const { buffer, posts, sender } = await sending(t, 2_000, (_, post) => (post <= 7 ? LATER : OK));
  sender.offer(entry(2_001), null);
  await until(() => buffer.size === 0, 'an empty buffer');
  assert.deepEqual(
    posts.map((times) => times.length),
    [500, 250, 125, 63, 32, 20, 20, 20, 40, 80, 160, 320, 500, 500, 381],
  );
  assert.deepEqual(
    posts.slice(7).flat(),
    Array.from({ length: 2_001 }, (_, i) => i + 1),
  );
});

test('a buffer that is removed at run time is skipped, and later heartbeats are sent', async (t) => {
  const { dir, buffer, posts, sender } = await sending(t, 250, (times) => (times.length > 0 ? OK : REFUSED));
  rmSync(dir, { recursive: true });
  sender.offer(entry(251), null);
  await until(() => buffer.size === 0 || posts.length > 5, 'an empty buffer');
  assert.deepEqual(posts, [[251]]);
});

test('a buffer that is removed between two attempts causes no empty post', async (t) => {
  const { dir, buffer, posts, sender } = await sending(t, 250, (times, post) => {
    // By then the newest is on disk, too.
    if (post === 2) rmSync(dir, { recursive: true });
    if (post <= 2) return LATER;
    return times.length > 0 ? OK : REFUSED;
  });
  sender.offer(entry(251), null);
  await until(() => buffer.size === 0 || posts.length > 5, 'an empty buffer');
  assert.deepEqual(
    posts.map((times) => times.length),
    [251, 126],
  );
  await sender.settled();
  sender.offer(entry(252), null);
  await until(() => buffer.size === 0, 'the next one');
  assert.deepEqual(posts.at(-1), [252]);
});

test('a post on which the agent itself fails ends nothing: it is logged once, kept and tried again', async (t) => {
  const { dir, buffer, posts, sender, said } = await sending(t, 0, (_, post) => {
    if (post <= 3) throw new TypeError('no such thing');
    return OK;
  });
  sender.offer(entry(1), null);
  await until(() => said.length > 0, 'the first failure');
  sender.offer(entry(2), null);
  await until(() => buffer.size === 0, 'an empty buffer');
  assert.ok(posts.length > 3);
  assert.deepEqual(posts.at(-1)?.at(-1), 2);
  assert.deepEqual(said, [
    'Heartbeats could not be sent: a defect in this agent; they are kept and tried again',
  ]);
  assert.deepEqual(readdirSync(dir), [], 'it was on disk meanwhile');
});
