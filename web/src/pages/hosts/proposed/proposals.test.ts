import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import { validateConfig } from '#src/monitors/types/rules.ts';
import { TYPES } from '#src/monitors/types.ts';
import { host } from '../hosts.testing.ts';
import { proposalsFor, serviceProposal, servicesToWatch } from './proposals.ts';

/** Monitors on hosts have no target of their own. */
const NO_TARGETS = {
  url: () => assert.fail(),
  host: () => assert.fail(),
  port: () => assert.fail(),
  isSecretMask: () => false,
};
const readings = { cpu_pct: 4, mem_pct: 40, temp_c: 51, 'disk_pct:/': 20, 'disk_pct:/var': 60 };
const keys = (...given: Parameters<typeof proposalsFor>) => proposalsFor(...given).map(({ key }) => key);

test('whether a host reports is proposed first, then its metrics, with every mount', () => {
  assert.deepEqual(keys(host({ readings }), []), [
    'online',
    'cpu_pct',
    'mem_pct',
    'disk_pct:/var',
    'disk_pct:/',
    'temp_c',
  ]);
});

test('a host that has not reported yet is offered the metrics of every host', () => {
  assert.deepEqual(keys(host(), []), ['online', 'cpu_pct', 'mem_pct']);
});

test('existing monitors are not proposed again', () => {
  const monitor = (metric: string) => ({ type: 'agent', config: { agent_id: 'agt_1', metric } });
  assert.deepEqual(keys(host({ readings }), [monitor('online'), monitor('disk_pct:/')]), [
    'cpu_pct',
    'mem_pct',
    'disk_pct:/var',
    'temp_c',
  ]);
});

test('the server accepts every proposal', () => {
  const all = proposalsFor(host({ readings }), []);
  for (const { type, config } of [
    ...all,
    serviceProposal(host(), { kind: 'systemd', name: 'nginx.service' }),
  ]) {
    const rules = TYPES.get(type);
    assert.ok(rules);
    validateConfig(rules, withDefaults(rules.schema, config), NO_TARGETS);
  }
});

test('services come from both inventories, without unsupported and already watched ones', () => {
  const agent = host({
    process_inventory: ['nginx', 'kworker/0:1', 'postgres', 'nginx'],
    service_inventory: [{ kind: 'docker', name: 'web' }],
  });
  const watched = [{ type: 'service', config: { agent_id: 'agt_1', kind: 'process', service: 'postgres' } }];
  assert.deepEqual(servicesToWatch(agent, watched), [
    { kind: 'docker', name: 'web' },
    { kind: 'process', name: 'nginx' },
  ]);
});
