import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Agent } from '#src/agents/contract.ts';
import { hostState, labelsOf, mountsOf } from './host-state.ts';
import { host } from './hosts.testing.ts';
import { byUrgency, matches } from './urgency.ts';

const listed = (hostname: string, given: Partial<Agent> = {}, failing = 0) => ({
  agent: host({ hostname, ...given }),
  failing,
});
const order = (...hosts: ReturnType<typeof listed>[]) =>
  hosts.sort(byUrgency).map(({ agent }) => agent.hostname);

test('a silent host comes first, then failing monitors, then nearly full ones, then an old agent', () => {
  assert.deepEqual(
    order(
      listed('calm'),
      listed('old', { outdated: true }),
      listed('full', { last_disk_pct: 97 }),
      listed('failing', {}, 1),
      listed('silent', { online: false }),
    ),
    ['silent', 'failing', 'full', 'old', 'calm'],
  );
});

test('more failing monitors and fuller disks come earlier, then the name decides', () => {
  assert.deepEqual(order(listed('a', {}, 1), listed('b', {}, 3)), ['b', 'a']);
  assert.deepEqual(order(listed('a', { last_cpu_pct: 91 }), listed('b', { last_mem_pct: 99 })), ['b', 'a']);
  assert.deepEqual(order(listed('b'), listed('a', { last_cpu_pct: 89 })), ['a', 'b']);
});

test('a laptop that may be offline needs no attention, and its old readings do not count', () => {
  const away = { online: false, expected_offline: true, last_disk_pct: 99 };
  assert.deepEqual(order(listed('laptop', away), listed('a')), ['a', 'laptop']);
});

test('the state of a host: never reported, silent, away, online', () => {
  assert.equal(hostState(host({ online: false, last_heartbeat_at_unix: null })), 'waiting');
  assert.equal(hostState(host({ online: false })), 'silent');
  assert.equal(hostState(host({ online: false, expected_offline: true })), 'away');
  assert.equal(hostState(host({ expected_offline: true })), 'online');
});

test('the fullest mount comes first, and other readings are left out', () => {
  const readings = { cpu_pct: 3, disk_pct: 80, 'disk_pct:/': 40, 'disk_pct:/var': 80, 'disk_pct:C:\\': 40 };
  assert.deepEqual(
    mountsOf(host({ readings })).map(({ mount }) => mount),
    ['/var', '/', 'C:\\'],
  );
});

test('labels are parsed as typed', () => {
  assert.deepEqual(labelsOf(host({ labels: ' env=prod, db ,' })), ['env=prod', 'db']);
  assert.deepEqual(labelsOf(host()), []);
});

test('a search matches names, labels and systems, with all of its words', () => {
  const found = host({ hostname: 'db-2', labels: 'env=prod' });
  assert.equal(matches(found, ' PROD db'), true);
  assert.equal(matches(found, 'debian'), true);
  assert.equal(matches(found, 'staging'), false);
});
