import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DNS_PROVIDERS, isApex, readProvider, recordAt } from './dns-record.ts';

const cname_target = '0123456789abcdef01234567.edge.example.net';

test('the name of the record is the part before the zone', () => {
  for (const [domain, name] of [
    ['status.example.com', 'status'],
    ['status.eu.example.com', 'status.eu'],
    ['status.example.co.uk', 'status'],
    ['example.co.uk', '@'],
    ['example.com', '@'],
    ['xn--strung-xxa.example.com', 'xn--strung-xxa'],
    ['status.acme.github.io', 'status'],
    ['status.example.test', 'status'],
  ] as const)
    for (const provider of DNS_PROVIDERS) {
      const record = recordAt(provider, { domain, cname_target });
      assert.deepEqual([record.name, record.fullName], [name, domain]);
    }
});

test('the value ends with a dot if the provider would append the zone to it', () => {
  for (const provider of DNS_PROVIDERS) {
    const { value } = recordAt(provider, { domain: 'status.example.com', cname_target });
    assert.equal(value, provider === 'hetzner' ? `${cname_target}.` : cname_target, provider);
  }
});

test('a registrable name cannot have a CNAME record, however it is written', () => {
  for (const [typed, apex] of [
    ['example.com', true],
    [' EXAMPLE.co.uk. ', true],
    ['bücher.de', true],
    ['status.example.com', false],
    ['www.example.co.uk', false],
    ['co.uk', false],
    ['', false],
    ['example', false],
  ] as const)
    assert.equal(isApex(typed), apex, typed);
});

test('an unknown stored provider counts as another one', () => {
  assert.deepEqual(
    [readProvider('hetzner'), readProvider('gone'), readProvider(null)],
    ['hetzner', 'other', 'other'],
  );
});
