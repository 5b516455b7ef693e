import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterReadings, namedDropped } from './agent-readings.ts';

const LIMITS = { disks: 64, services: 200 };

test('readings within bounds are kept, and missing ones are neither kept nor dropped', () => {
  const filtered = filterReadings({ readings: { cpu_pct: 12.5, load1: 0, temp_c: null } }, LIMITS);
  assert.deepEqual(filtered.values, { cpu_pct: 12.5, load1: 0 });
  assert.deepEqual(filtered.dropped, []);
});

for (const [name, value] of [
  ['cpu_pct', -0.1],
  ['cpu_pct', 100.1],
  ['mem_pct', Number.NaN],
  ['disk_pct', Number.POSITIVE_INFINITY],
  ['load1', 1e308],
  ['net_rx_bps', -1],
  ['temp_c', -273],
  ['uptime_seconds', 1e12],
] as const)
  test(`${name} of ${value} is dropped and named, and the rest is kept`, () => {
    const filtered = filterReadings({ readings: { swap_pct: 3, [name]: value } }, LIMITS);
    assert.deepEqual(filtered.values, { swap_pct: 3 });
    assert.deepEqual(filtered.dropped, [`readings.${name}`]);
  });

test('a mount is kept once, with a valid name, up to the limit', () => {
  const disks = [
    { mount: '/', pct: 40 },
    { mount: '/', pct: 41 },
    { mount: 'var', pct: 1 },
    { mount: '/a\u0007', pct: 1 },
    { mount: 'C:', pct: 50 },
    { mount: '/full', pct: 101 },
    { mount: '/__proto__', pct: 1 },
  ];
  const filtered = filterReadings({ readings: { disks } }, LIMITS);
  assert.deepEqual(filtered.disks, { '/': 40, 'C:': 50, '/__proto__': 1 });
  assert.deepEqual(filtered.dropped, [
    'readings.disks[1]',
    'readings.disks[2]',
    'readings.disks[3]',
    'readings.disks[5].pct',
  ]);
  const many = Array.from({ length: 10_000 }, (_, i) => ({ mount: `/d${i}`, pct: 1 }));
  const ofMany = filterReadings({ readings: { disks: many } }, LIMITS);
  assert.equal(Object.keys(ofMany.disks).length, 64);
  assert.equal(ofMany.dropped.length, 9_936);
});

test('a service is kept once, of a known kind, with a printable name; values out of bounds are removed', () => {
  const services = [
    { kind: 'process', name: 'nginx', running: true, cpu_pct: 3, mem_mb: -1 },
    { kind: 'process', name: 'nginx', running: false },
    { kind: 'systemd', name: 'nginx', running: false },
    { kind: 'cron', name: 'nginx', running: true },
    { kind: 'docker', name: 'a\nb', running: true },
    { kind: 'docker', name: ' ', running: true },
  ];
  const filtered = filterReadings({ readings: {}, services }, LIMITS);
  assert.deepEqual(filtered.services, [
    { kind: 'process', name: 'nginx', running: true, cpu_pct: 3, mem_mb: null },
    { kind: 'systemd', name: 'nginx', running: false, cpu_pct: null, mem_mb: null },
  ]);
  assert.deepEqual(filtered.dropped, [
    'services[0].mem_mb',
    'services[1]',
    'services[3]',
    'services[4]',
    'services[5]',
  ]);
});

test('an answer names twenty dropped readings, and counts the rest', () => {
  const many = Array.from({ length: 25 }, (_, i) => `readings.disks[${i}]`);
  assert.equal(namedDropped(many).length, 21);
  assert.equal(namedDropped(many).at(-1), 'and 5 more');
  assert.deepEqual(namedDropped(['readings.cpu_pct']), ['readings.cpu_pct']);
});
