import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS } from '../types.testing.ts';
import { formPathOf, sectionOf } from './refusal-field.ts';
import { type MonitorValues, newMonitor } from './values.ts';

const http: MonitorValues = newMonitor(FORMS.http);
http.config = {
  ...http.config,
  headers: [{ name: 'X.Dotted', value: 'a', secret: false }],
  json_assertions: [{ path: '$.a', op: 'eq', value: '1' }],
};

test('a server path maps to the form’s field, lists by index', () => {
  assert.equal(formPathOf(FORMS.http, 'config.url', http), 'config.url');
  assert.equal(
    formPathOf(FORMS.http, 'config.json_assertions.0.value', http),
    'config.json_assertions.0.value',
  );
  assert.equal(
    formPathOf(FORMS.http, 'config.json_assertions[0].value', http),
    'config.json_assertions.0.value',
  );
  assert.equal(formPathOf(FORMS.http, 'policy.alarm_quorum_value', http), 'policy.alarm_quorum_value');
  assert.equal(
    formPathOf(FORMS.heartbeat, 'config.schedule.expression', newMonitor(FORMS.heartbeat)),
    'config.schedule.expression',
  );
});

test('a header is found by its name, including dots', () => {
  assert.equal(formPathOf(FORMS.http, 'config.headers.x.dotted', http), 'config.headers.0.name');
});

test('an entry of a list that is one field belongs to that field', () => {
  assert.equal(formPathOf(FORMS.http, 'config.expected_status.2', http), 'config.expected_status');
  const dns = newMonitor(FORMS.dns);
  dns.config.expected = { mode: 'any', values: ['192.0.2.1', 'x'] };
  assert.equal(formPathOf(FORMS.dns, 'config.expected.values.1', dns), 'config.expected.values');
  const group = newMonitor(FORMS.group);
  group.config.members = ['mon_1', 'mon_2'];
  assert.equal(formPathOf(FORMS.group, 'config.members.1', group), 'config.members');
  assert.equal(formPathOf(FORMS.http, 'depends_on.0', { ...http, depends_on: ['mon_1'] }), 'depends_on');
});

test('a refusal of a whole object is shown at its first field', () => {
  assert.equal(formPathOf(FORMS.http, 'config.keyword', http), 'config.keyword.text');
  assert.equal(formPathOf(FORMS.mail, 'config.auth', newMonitor(FORMS.mail)), 'config.auth.username');
  assert.equal(formPathOf(FORMS.http, 'alarm_gate', http), 'alarm_gate.origins');
});

test('a path without a field is shown at the top of the form', () => {
  assert.equal(formPathOf(FORMS.http, 'config.max_body_bytes', http), null);
  assert.equal(formPathOf(FORMS.http, 'config.headers.x-unknown', http), null);
  assert.equal(formPathOf(FORMS.http, 'type', { ...http }), 'type');
});

test('every path opens the section that shows it', () => {
  assert.equal(sectionOf(FORMS.http, 'config.url'), 'basics');
  assert.equal(sectionOf(FORMS.http, 'config.headers.0.name'), 'request');
  assert.equal(sectionOf(FORMS.http, 'config.keyword.text'), 'expectation');
  assert.equal(sectionOf(FORMS.http, 'config.tls.ca_pem'), 'tls');
  assert.equal(sectionOf(FORMS.tcp, 'config.tls'), 'basics');
  assert.equal(sectionOf(FORMS.tcp, 'config.send'), 'conversation');
  for (const path of ['policy.alarm_consecutive', 'alarm_gate.origins', 'depends_on'])
    assert.equal(sectionOf(FORMS.http, path), 'alarm');
});
