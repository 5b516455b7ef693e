import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MonitorType } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import { TYPES } from '#src/monitors/types.ts';
import { FORMS } from '../types.testing.ts';
import { typeChange, valuesInType } from './changed-type.ts';

const monitor = (type: MonitorType, config: object, fields: Partial<Monitor> = {}) =>
  ({
    ...{ id: 'mon_1', name: 'Shop', type, interval_seconds: 30, regions: ['eu', 'us'], severity: 'default' },
    config: withDefaults(TYPES.get(type)?.schema ?? assert.fail(), { ...config }),
    ...{ policy: null, alarm_gate: null, depends_on: ['mon_2'], tags: ['prod'] },
    ...fields,
  }) as unknown as Monitor;
const HTTP = monitor('http', {
  url: 'https://shop.example.com:8443/a?b',
  auth: { kind: 'bearer', token: '••••' },
});

for (const [from, to, expected] of [
  [HTTP, 'tcp', { host: 'shop.example.com', port: 8443 }],
  [HTTP, 'tls', { host: 'shop.example.com', port: 8443 }],
  [HTTP, 'ping', { host: 'shop.example.com' }],
  [monitor('http', { url: 'http://shop.example.com/' }), 'tls', { host: 'shop.example.com' }],
  [
    monitor('tcp', { host: 'shop.example.com', port: 8080 }),
    'http',
    { url: 'http://shop.example.com:8080/' },
  ],
  [monitor('tcp', { host: 'shop.example.com', port: 443 }), 'http', { url: 'https://shop.example.com/' }],
  [monitor('tcp', { host: '::1', port: 9443, tls: true }), 'http', { url: 'https://[::1]:9443/' }],
  [monitor('database', { host: 'db.example.com', engine: 'redis' }), 'tcp', { host: 'db.example.com' }],
  [HTTP, 'domain', { domain: 'shop.example.com' }],
  [HTTP, 'websocket', { url: 'wss://shop.example.com:8443/a?b' }],
  [
    monitor('websocket', { url: 'ws://shop.example.com/live' }),
    'http',
    { url: 'http://shop.example.com/live' },
  ],
  [monitor('tls', { host: '2001:db8::1' }), 'http', { url: 'https://[2001:db8::1]/' }],
  [monitor('domain', { domain: 'example.com' }), 'dns', { host: 'example.com' }],
  [monitor('heartbeat', { schedule: { kind: 'period', period_seconds: 60 } }), 'http', { url: '' }],
  [HTTP, 'heartbeat', {}],
] as const)
  test(`${from.type} to ${to} keeps the address if both have one`, () => {
    const { config } = valuesInType(FORMS[to], from, 'eu');
    const blank = FORMS[to].initial;
    assert.deepEqual(config, { ...blank, ...expected });
  });

test('fields outside the config are kept, and the interval suits the new type', () => {
  const values = valuesInType(FORMS.domain, HTTP, 'local');
  assert.deepEqual(
    [values.name, values.interval_seconds, values.regions, values.severity, values.tags, values.depends_on],
    ['Shop', 3600, ['eu', 'us'], 'default', ['prod'], ['mon_2']],
  );
  assert.deepEqual(valuesInType(FORMS.heartbeat, HTTP, 'local').regions, []);
  const beat = monitor('heartbeat', { schedule: { kind: 'period', period_seconds: 60 } }, { regions: [] });
  assert.deepEqual(valuesInType(FORMS.http, beat, 'local').regions, ['local']);
});

test('the type and its whole config are sent, and otherwise only changes', () => {
  const begun = valuesInType(FORMS.tcp, HTTP, 'eu');
  const values = { ...begun, config: { ...begun.config, port: 443 }, tags: ['core'] };
  const { config, ...rest } = typeChange(FORMS.tcp, values, begun) as { config: Record<string, unknown> };
  assert.deepEqual(rest, { type: 'tcp', interval_seconds: 30, regions: ['eu', 'us'], tags: ['core'] });
  assert.deepEqual([config.host, config.port, 'auth' in config], ['shop.example.com', 443, false]);
});
