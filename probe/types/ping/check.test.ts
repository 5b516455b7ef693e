import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { isAlive } from '#test/harness/is-alive.ts';
import { checkOnce, wordsOf } from '#test/harness/one-check.ts';
import { canPing } from '#test/harness/provide-ping.ts';
import { until } from '#test/harness/until.ts';
import { pingStatistics, pingTrouble, routerWords } from './output.ts';

const skip = canPing() ? false : 'no ping on this machine';
const LOCAL = { host: '127.0.0.1' };

/** Puts a `ping` of its own first in the PATH for one test; returns its directory. */
async function fakePing(t: TestContext, script: string | null): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ping-'));
  const path = process.env.PATH;
  t.after(async () => {
    process.env.PATH = path;
    await rm(dir, { recursive: true });
  });
  if (script !== null) {
    await writeFile(join(dir, 'ping'), `#!/bin/sh\n${script}\n`);
    await chmod(join(dir, 'ping'), 0o755);
    process.env.PATH = `${dir}:${path}`;
  } else {
    await symlink('/usr/bin/env', join(dir, 'env'));
    process.env.PATH = dir;
  }
  return dir;
}

const summary = (sent: number, received: number, avg = '1.500') =>
  `cat <<'END'\n\n--- statistics ---\n${sent} packets transmitted, ${received} received, ${
    ((sent - received) / sent) * 100
  }% packet loss, time 402ms\n${received > 0 ? `rtt min/avg/max/mdev = 1.0/${avg}/2.0/0.1 ms` : ''}\nEND`;

test('this machine answers itself: no loss, and a latency', { skip }, async () => {
  const seen = await checkOnce('ping', LOCAL);
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.equal(seen.metric_value, 0);
  assert.ok((seen.latency_ms ?? 99) < 50, 'the latency is the round trip, not the check');
  assert.ok((seen.timings_ms?.total ?? 0) >= 350, 'three packets, 0.2 s apart');
});

test('20 packets fit into the default timeout', { skip }, async () => {
  assert.equal((await checkOnce('ping', { ...LOCAL, count: 20 })).status, 'up');
});

test('a timeout too short for all packets judges those that were sent', { skip }, async () => {
  const seen = await checkOnce('ping', { ...LOCAL, count: 20, timeout_ms: 1_000 });
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.ok((seen.timings_ms?.total ?? 9999) < 1_100);
});

test('the output of every common ping is parsed', () => {
  const table: [string, string, ReturnType<typeof pingStatistics>][] = [
    [
      'iputils',
      '--- 127.0.0.1 ping statistics ---\n3 packets transmitted, 3 received, 0% packet loss, time 402ms\nrtt min/avg/max/mdev = 0.030/0.035/0.040/0.004 ms\n',
      { sent: 3, received: 3, averageMs: 0.035 },
    ],
    [
      'iputils with errors and a duplicate',
      '5 packets transmitted, 2 received, +1 duplicates, +2 errors, 60% packet loss, time 4005ms\nrtt min/avg/max/mdev = 1.1/1.2/1.3/0.1 ms, pipe 3\n',
      { sent: 5, received: 2, averageMs: 1.2 },
    ],
    [
      'iputils without an answer',
      '3 packets transmitted, 0 received, 100% packet loss, time 2031ms\n\n',
      { sent: 3, received: 0, averageMs: null },
    ],
    [
      'BusyBox',
      '--- 127.0.0.1 ping statistics ---\n3 packets transmitted, 3 packets received, 0% packet loss\nround-trip min/avg/max = 0.060/0.070/0.080 ms\n',
      { sent: 3, received: 3, averageMs: 0.07 },
    ],
    [
      'BusyBox with duplicates',
      '3 packets transmitted, 2 packets received, 1 duplicates, 33% packet loss\nround-trip min/avg/max = 1.0/2.0/3.0 ms\n',
      { sent: 3, received: 2, averageMs: 2 },
    ],
    [
      'macOS',
      '3 packets transmitted, 3 packets received, 0.0% packet loss\nround-trip min/avg/max/stddev = 0.047/0.062/0.078/0.013 ms\n',
      { sent: 3, received: 3, averageMs: 0.062 },
    ],
    ['nothing', 'PING 127.0.0.1 (127.0.0.1) 56(84) bytes of data.\n', null],
  ];
  for (const [name, output, expected] of table) assert.deepEqual(pingStatistics(output), expected, name);
});

test('error messages of ping are parsed', () => {
  const table = [
    ['ping: socktype: SOCK_RAW\nping: socket: Operation not permitted', 'unavailable'],
    ['ping: permission denied (are you root?)', 'unavailable'],
    ['ping: Lacking privilege for icmp socket.', 'unavailable'],
    ['ping: socket: Address family not supported by protocol', 'unavailable'],
    ['ping: connect: Network is unreachable', 'unreachable'],
    ['ping: sendto: No route to host', 'unreachable'],
    ['ping: sendmsg: Operation not permitted', 'forbidden'],
    ["ping: invalid option -- 'i'\nBusyBox v1.20 multi-call binary.", 'unknown_option'],
    ["ping: unrecognized option '-i'\nUsage: ping [OPTIONS] HOST", 'unknown_option'],
    ['', undefined],
    ['Warning: time of day goes back (-1us), taking countermeasures', undefined],
  ] as const;
  for (const [said, expected] of table) assert.equal(pingTrouble(said), expected, said);
  assert.equal(
    routerWords('From 10.0.0.1 icmp_seq=1 Destination Host Unreachable\n'),
    'Destination Host Unreachable',
  );
  assert.equal(routerWords('64 bytes from 127.0.0.1: icmp_seq=1 ttl=64'), undefined);
});

test('lost packets degrade from one threshold and fail above the other', async (t) => {
  await fakePing(t, summary(10, 7));
  const degraded = await checkOnce('ping', { ...LOCAL, count: 10 });
  assert.equal(wordsOf(degraded), 'degraded packet_loss target_connect');
  assert.deepEqual([degraded.metric_value, degraded.latency_ms], [30, 2]);
  const down = await checkOnce('ping', { ...LOCAL, count: 10, max_loss_pct: 20 });
  assert.equal(wordsOf(down), 'down packet_loss target_connect');
  assert.match(down.detail ?? '', /answered 7 of 10 pings, 30 % lost; at most 20 %/);
  assert.equal((await checkOnce('ping', { ...LOCAL, count: 10, degraded_loss_pct: 40 })).status, 'up');
});

test('no answer at all is down without a latency; a router’s message gives the reason', async (t) => {
  await fakePing(t, `${summary(3, 0)}\nexit 1`);
  const silent = await checkOnce('ping', LOCAL);
  assert.equal(wordsOf(silent), 'down no_answer target_connect');
  assert.deepEqual([silent.latency_ms, silent.metric_value], [undefined, 100]);
  await fakePing(t, `echo 'From 10.0.0.1 icmp_seq=1 Destination Host Unreachable'\n${summary(3, 0)}\nexit 1`);
  const unreachable = await checkOnce('ping', LOCAL);
  assert.equal(wordsOf(unreachable), 'down connect_unreachable target_connect');
  assert.match(unreachable.detail ?? '', /Destination Host Unreachable/);
});

test('a way that was missing for a moment is a loss if other pings were answered', async (t) => {
  await fakePing(t, `echo 'ping: sendmsg: No route to host' >&2\n${summary(3, 2)}`);
  assert.equal(wordsOf(await checkOnce('ping', LOCAL)), 'degraded packet_loss target_connect');
  await fakePing(t, `echo 'ping: sendmsg: No route to host' >&2\n${summary(3, 0)}\nexit 1`);
  assert.equal(wordsOf(await checkOnce('ping', LOCAL)), 'down connect_unreachable target_connect');
});

test('a slow answer is degraded', async (t) => {
  await fakePing(t, summary(3, 3, '120.25'));
  const seen = await checkOnce('ping', { ...LOCAL, degraded_after_ms: 100 });
  assert.equal(wordsOf(seen), 'degraded slow target_connect');
});

test('a probe without ping, or without the permission for it, never says the target is down', async (t) => {
  await fakePing(t, "echo 'ping: socket: Operation not permitted' >&2\nexit 2");
  assert.equal(wordsOf(await checkOnce('ping', LOCAL)), 'down ping_unavailable probe');
  await fakePing(t, 'exit 126');
  assert.match(String((await checkOnce('ping', LOCAL)).detail), /may not run on this probe’s machine/);
  await fakePing(t, null);
  const none = await checkOnce('ping', LOCAL);
  assert.equal(wordsOf(none), 'down ping_unavailable probe');
  assert.match(none.detail ?? '', /isn’t installed on this probe’s machine/);
});

test('a ping without output, or that sent hardly anything, is the probe’s own fault', async (t) => {
  await fakePing(t, 'echo gibberish');
  assert.equal(wordsOf(await checkOnce('ping', LOCAL)), 'down probe_error probe');
  await fakePing(t, summary(1, 0));
  assert.equal(wordsOf(await checkOnce('ping', { ...LOCAL, count: 10 })), 'down probe_error probe');
});

test('a ping that does not know an interval option is run again without it', async (t) => {
  const dir = await fakePing(
    t,
    `echo "$*" >> "$(dirname "$0")/asked"
case "$*" in *-i*) echo "ping: invalid option -- 'i'" >&2; exit 1;; esac
${summary(3, 3)}`,
  );
  assert.equal((await checkOnce('ping', LOCAL)).status, 'up');
  assert.equal((await checkOnce('ping', LOCAL)).status, 'up');
  const asked = (await readFile(join(dir, 'asked'), 'utf8')).trim().split('\n');
  assert.deepEqual(asked, ['-n -c 3 -i 0.2 127.0.0.1', '-n -c 3 127.0.0.1', '-n -c 3 127.0.0.1']);
});

test('a ping that does not end is interrupted, and killed at the deadline', async (t) => {
  const dir = await fakePing(t, 'trap "" INT\necho $$ > "$(dirname "$0")/pid"\nexec sleep 30');
  // Long enough for the command to begin, on a busy machine too.
  const seen = await checkOnce('ping', { ...LOCAL, timeout_ms: 3_000 });
  assert.equal(wordsOf(seen), 'down probe_error probe');
  assert.ok((seen.timings_ms?.total ?? 99_999) < 15_000, 'and not when the command would end by itself');
  const pid = Number(await readFile(join(dir, 'pid'), 'utf8'));
  await until(() => !isAlive(pid), 'the killed ping ends', 10_000);
});

test('a cancelled check ends at once', { skip }, async () => {
  const stop = new AbortController();
  const checking = checkOnce('ping', { ...LOCAL, count: 20 }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  const seen = await checking;
  assert.equal(wordsOf(seen), 'down aborted probe');
  assert.ok((seen.timings_ms?.total ?? 9999) < 1_000);
});

test('only a vetted address is pinged', async (t) => {
  const dir = await fakePing(t, `echo "$*" > "$(dirname "$0")/asked"\n${summary(3, 3)}`);
  const resolver = async () => [{ address: '127.0.0.1', family: 4 as const }];
  const blocked = { policy: { allowPrivate: false }, resolver };
  for (const host of ['127.0.0.1', 'inside.test'])
    assert.equal(wordsOf(await checkOnce('ping', { host }, blocked)), 'down blocked_target probe');
  await assert.rejects(readFile(join(dir, 'asked')), /ENOENT/);
  await checkOnce('ping', { host: 'inside.test' }, { resolver });
  assert.match(await readFile(join(dir, 'asked'), 'utf8'), / 127\.0\.0\.1\n$/);
});
