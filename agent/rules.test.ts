// The small pure rules of the agent, each as a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MAX_DISKS,
  MAX_HEARTBEATS,
  MAX_NAMES,
  MAX_SERVICES,
  postHeartbeat,
} from '#src/agents/protocol-contract.ts';
import { parseJsonBody } from '#src/platform/http/json-body.ts';
import { retryDelayMs } from './backoff.ts';
import type { Entry } from './heartbeat.ts';
import * as limits from './limits.ts';
import { prettyName } from './machine-name.ts';
import { nextDueMs } from './phase.ts';
import { type PostOptions, postOf } from './post.ts';
import { readEnrolled, readReply } from './reply.ts';
import { readWords } from './words.ts';

test('the limits equal those of the protocol', () => {
  const { MAX_BODY_BYTES, MAX_BODY_VALUES, MAX_REPLY_BYTES, ...ours } = limits;
  assert.deepEqual({ ...ours }, { MAX_DISKS, MAX_HEARTBEATS, MAX_NAMES, MAX_SERVICES });
  assert.ok(MAX_BODY_BYTES < (postHeartbeat.bodyLimit ?? 0) && MAX_BODY_VALUES < 20_000);
  assert.ok(MAX_REPLY_BYTES >= 64 * 1024);
});

test('retry delays double up to two minutes, and are never shorter than the server asks', () => {
  const cases: [attempt: number, retryAfterMs: number, random: number, delayMs: number][] = [
    [0, 0, 0, 0],
    [0, 0, 1, 2_000],
    [3, 0, 0.5, 8_000],
    [50, 0, 1, 120_000],
    [0, 30_000, 0, 30_000],
    [0, 30_000, 1, 40_000],
    [0, 1e12, 0, 3_600_000],
  ];
  for (const [attempt, asked, random, delayMs] of cases)
    assert.equal(retryDelayMs(attempt, asked, random), delayMs, `${attempt} ${asked} ${random}`);
});

test('heartbeats come once per interval, at an offset that a restart keeps', () => {
  const ids = Array.from({ length: 2_000 }, (_, i) => `agt_${i}`);
  const nowMs = 1_800_000_000_123;
  const due = ids.map((id) => nextDueMs(nowMs, 60_000, id));
  for (const ms of due) assert.ok(ms - nowMs >= 30_000 && ms - nowMs <= 90_000);
  assert.equal(nextDueMs(due[0]!, 60_000, ids[0]!), due[0]! + 60_000);
  assert.equal(nextDueMs(due[0]! + 7, 60_000, ids[0]!), due[0]! + 60_000);
  // 2,000 agents over 60 seconds: no second has all of them.
  const seconds = new Map<number, number>();
  for (const ms of due) seconds.set(Math.floor(ms / 1000), (seconds.get(Math.floor(ms / 1000)) ?? 0) + 1);
  assert.ok(Math.max(...seconds.values()) < 80);
});

test('the agent follows an answer only within sensible bounds', () => {
  const good = { interval_seconds: 60, server_time_ms: 5, inventory_enabled: true };
  const read = (more: object) => readReply({ ...good, ...more });
  for (const bad of [
    null,
    [],
    'x',
    {},
    { interval_seconds: '60' },
    { interval_seconds: 0 },
    { interval_seconds: 1.5 },
  ])
    assert.equal(readReply(bad), undefined, JSON.stringify(bad));
  assert.equal(read({ interval_seconds: 1e9 })?.intervalSeconds, 3_600);
  assert.equal(read({ server_time_ms: Number.NaN })?.serverTimeMs, null);
  assert.equal(read({ inventory_enabled: 'yes' })?.inventoryEnabled, false);
  const names = ['nginx', '-x', '', ' ', '../etc/passwd', 'a\nb', 'x'.repeat(129), 7, 'my app'];
  const watched = [...names.map((name) => ({ kind: 'systemd', name })), { kind: 'magic', name: 'a' }, null];
  assert.deepEqual(
    read({ watched_services: watched })?.watched.map(({ name }) => name),
    ['nginx', 'my app'],
  );
  assert.equal(read({ upgrade: { version: '2', sha256: 'short' } })?.upgrade, null);
  const upgrade = { version: '2', sha256: 'a'.repeat(64) };
  assert.deepEqual(read({ upgrade })?.upgrade, upgrade);
});

test('an unusable enrolment counts as none', () => {
  const good = { agent_id: 'agt_1', credential: 'tca_1', interval_seconds: 60 };
  assert.deepEqual(readEnrolled({ ...good, more: 1 }), good);
  for (const bad of [{ credential: 'a\nb' }, { credential: '' }, { agent_id: 7 }, { interval_seconds: null }])
    assert.equal(readEnrolled({ ...good, ...bad }), undefined, JSON.stringify(bad));
});

const entryOf = (atMs: number | null, readings: object = {}): Entry => ({
  ...{ moment: { boot: 'b', steadyMs: 10, wallMs: 10 }, atMs },
  beat: { agent_version: '1', modules: ['cpu'], readings: readings as Entry['beat']['readings'] },
});
/** A post at some moment, of all buffered heartbeats by default. */
function posted(entries: readonly Entry[], nowMs: number, more: Partial<PostOptions> = {}) {
  const clock = { place: () => 500, nowMs: () => nowMs };
  const options = { clock, most: 500, size: entries.length, inventory: null, ...more };
  const post = postOf(
    entries.map((entry, i) => ({ no: i + 1, entry })),
    options,
  );
  return { ...post, sent: JSON.parse(post.body) };
}

const INVENTORY = { processes: ['init'], service_inventory: [] };

test('a post contains its heartbeats in strictly ascending order', () => {
  const { sent, lastNo } = posted([entryOf(null), entryOf(null), entryOf(400), entryOf(900)], 1_000);
  const times = sent.heartbeats.map((heartbeat: { sent_at_ms: number }) => heartbeat.sent_at_ms);
  assert.deepEqual([...times, lastNo], [500, 501, 502, 900, 4]);
});

test('a current heartbeat travels alone, stored ones as a list with the time of the post', () => {
  const one = { sent_at_ms: 1_000, ...entryOf(1_000).beat };
  assert.deepEqual(posted([entryOf(1_000)], 2_000).sent, one);
  assert.deepEqual(posted([entryOf(1_000)], 9_000).sent, { sent_at_ms: 9_000, heartbeats: [one] });
  assert.deepEqual(posted([entryOf(1_000)], 2_000, { inventory: INVENTORY }).sent, { ...one, ...INVENTORY });
});

test('an inventory is sent with the newest heartbeat', () => {
  const two = [entryOf(1_000), entryOf(2_000)];
  const { sent, inventory } = posted(two, 2_000, { inventory: INVENTORY });
  assert.deepEqual(sent.heartbeats[1], { sent_at_ms: 2_000, ...entryOf(2_000).beat, ...INVENTORY });
  assert.ok(!('processes' in sent.heartbeats[0]));
  assert.equal(inventory, INVENTORY);
  const first = posted(two, 2_000, { inventory: INVENTORY, most: 1 });
  assert.deepEqual([first.count, first.inventory, first.body.includes('init')], [1, null, false]);
});

test('the server accepts every post, whatever the machine has', () => {
  const disks = (count: number, width: number) => ({
    disks: Array.from({ length: count }, (_, i) => ({ mount: `/${i},${'m'.repeat(width)}`, pct: 5 })),
  });
  for (const [disksEach, width] of [
    [1, 1],
    [64, 10],
    [64, 480],
  ] as const) {
    const entries = Array.from({ length: 600 }, (_, i) => entryOf(i, disks(disksEach, width)));
    const processes = Array.from({ length: 2_000 }, (_, i) => `p${i}`);
    const { body, count, lastNo } = posted(entries, 0, { inventory: { processes, service_inventory: [] } });
    assert.ok(count > 0 && lastNo === count && Buffer.byteLength(body) < limits.MAX_BODY_BYTES);
    assert.ok(parseJsonBody(body));
    if (disksEach === 1) assert.equal(count, 500);
  }
});

test('a system is named by its own name', () => {
  const cases: [text: string, name: string | null][] = [
    ['ID=debian\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n', 'Debian GNU/Linux 13 (trixie)'],
    ["PRETTY_NAME='Void Linux'", 'Void Linux'],
    ['PRETTY_NAME=Plain', 'Plain'],
    ['PRETTY_NAME="a \\"b\\""', 'a "b"'],
    ['PRETTY_NAME=""', null],
    ['ID=x', null],
  ];
  for (const [text, name] of cases) assert.equal(prettyName(text), name, text);
});

test('the command line is parsed', () => {
  const run = (...words: string[]) => readWords(words);
  const options = {
    url: 'http://a',
    token: 't',
    dataDir: '/d',
    labels: 'a=b',
    name: 'n',
    once: true,
    show: undefined,
    noUpgrade: undefined,
  };
  assert.deepEqual(
    run('--url', 'http://a', '--token=t', '--data-dir', '/d', '--labels', 'a=b', '--name', 'n', '--once'),
    { kind: 'run', options, service: false },
  );
  const cases: [words: string[], sentence: RegExp][] = [
    [['--data-dri', 'x'], /Did you mean --data-dir\?/],
    [['--token'], /--token needs a value/],
    [['--url', '--once'], /--url needs a value/],
    [['--once=yes'], /--once takes no value/],
    [['x'], /one word too many/],
  ];
  for (const [words, sentence] of cases) {
    const read = run(...words);
    assert.match(read.kind === 'wrong' ? read.sentence : read.kind, sentence, words.join(' '));
  }
  assert.equal(run('--help').kind, 'help');
  assert.equal(run('-V').kind, 'version');
});
