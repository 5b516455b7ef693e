import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formPathOf, sectionOf } from './refusal-field.ts';
import { type MonitorValues, NEW_MONITOR } from './values.ts';

const values: MonitorValues = {
  ...NEW_MONITOR,
  config: {
    ...NEW_MONITOR.config,
    headers: [{ name: 'X.Dotted', value: 'a', secret: false }],
    json_assertions: [{ path: '$.a', op: 'eq', value: '1' }],
  },
};

test('a path of the server is the field of the form, lists by their place', () => {
  assert.equal(formPathOf('config.url', values), 'config.url');
  assert.equal(formPathOf('config.json_assertions.0.value', values), 'config.json_assertions.0.value');
  assert.equal(formPathOf('config.json_assertions[0].value', values), 'config.json_assertions.0.value');
  assert.equal(formPathOf('policy.alarm_quorum_value', values), 'policy.alarm_quorum_value');
});

test('a header is found by its name, dots included', () => {
  assert.equal(formPathOf('config.headers.x.dotted', values), 'config.headers.0.name');
});

test('an entry of a list that is one field belongs to that field', () => {
  assert.equal(formPathOf('config.expected_status.2', values), 'config.expected_status');
});

test('a path that no field shows is left to the head of the form', () => {
  assert.equal(formPathOf('config.max_body_bytes', values), null);
  assert.equal(formPathOf('alarm_gate.origins', values), null);
});

test('every path opens the section that shows it', () => {
  assert.equal(sectionOf('config.url'), 'basics');
  assert.equal(sectionOf('config.headers.0.name'), 'request');
  assert.equal(sectionOf('config.keyword.text'), 'expectation');
  assert.equal(sectionOf('config.tls.ca_pem'), 'tls');
  assert.equal(sectionOf('policy.alarm_consecutive'), 'alarm');
});
