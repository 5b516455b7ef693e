// PagerDuty and Opsgenie get one page for an incident, one for a group, never two.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EVENT_NAMES, type EventName } from '#src/domain/names.ts';
import type { IncidentPayload } from '../event-body.ts';
import {
  BASE,
  bodyOf,
  event,
  group,
  incident,
  message,
  note,
  sent,
  storm,
  testEvent,
} from './channels.testing.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';

const KEY = '0123456789abcdef0123456789abcdef';
/** The subject of a request to Opsgenie. */
const actions = (...given: Parameters<typeof sent>) =>
  sent(...given).map(({ url }) => url.replace('https://provider.example/in', '') || 'create');

const MOVES: [name: EventName, pagerduty: string | null, opsgenie: string | null][] = [
  ['opened', 'trigger', 'create'],
  ['escalated', 'trigger', 'create'],
  ['acknowledged', 'acknowledge', '/inc_1/acknowledge?identifierType=alias'],
  ['resolved', 'resolve', '/inc_1/close?identifierType=alias'],
  ['discarded', 'resolve', '/inc_1/close?identifierType=alias'],
  ['updated', null, '/inc_1/notes?identifierType=alias'],
  ['restored', null, null],
  ['postmortem_published', null, null],
  ['maintenance_started', null, null],
  ['maintenance_ended', null, null],
];
for (const [name, action, path] of MOVES)
  test(`${name}: ${action ?? 'nothing'} at PagerDuty, ${path ?? 'nothing'} at Opsgenie`, () => {
    const given = message([event(name, name === 'updated' ? { note: note('On it') } : {})]);
    assert.equal(pagerduty.carries(name), action !== null);
    assert.equal(opsgenie.carries(name), path !== null);
    if (action !== null) {
      const body = bodyOf(pagerduty, given, KEY);
      assert.deepEqual([body.event_action, body.dedup_key, body.routing_key], [action, 'inc_1', KEY]);
    } else assert.deepEqual(sent(pagerduty, given, KEY), []);
    if (path !== null) assert.deepEqual(actions(opsgenie, given, KEY), [path]);
  });

test('every event has a decision', () => {
  assert.deepEqual([...MOVES.map(([name]) => name), 'test'].sort(), [...EVENT_NAMES].sort());
});

test('a test opens a page that wakes nobody, and closes it at once', () => {
  const given = message([testEvent()]);
  const events = sent(pagerduty, given, KEY).map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    events.map((one) => [one.event_action, one.dedup_key, one.payload?.severity]),
    [
      ['trigger', 'test:evt_1', 'info'],
      ['resolve', 'test:evt_1', undefined],
    ],
  );
  assert.deepEqual(actions(opsgenie, given, KEY), ['create', '/test%3Aevt_1/close?identifierType=alias']);
  assert.equal(JSON.parse(sent(opsgenie, given, KEY)[0]!.body).priority, 'P5');
});

const SEVERITIES: [fields: Partial<IncidentPayload>, severity: string, priority: string][] = [
  [{ severity: 'critical' }, 'critical', 'P1'],
  [{ severity: 'default' }, 'error', 'P2'],
  [{ severity: 'degraded' }, 'warning', 'P3'],
  [{ severity: 'degraded', severity_level: 'sev1' }, 'critical', 'P1'],
  [{ severity: 'critical', severity_level: 'sev3' }, 'warning', 'P3'],
];
for (const [fields, severity, priority] of SEVERITIES)
  test(`${JSON.stringify(fields)} is ${severity} and ${priority}`, () => {
    const given = message([event('opened', { incident: incident(fields) })]);
    assert.equal(bodyOf(pagerduty, given, KEY).payload.severity, severity);
    assert.equal(bodyOf(opsgenie, given, KEY).priority, priority);
  });

test('PagerDuty gets the summary, the source, the start and a link', () => {
  const { payload, links, client, client_url } = bodyOf(pagerduty, message([event('opened')]), KEY);
  const url = `${BASE}/app/o/org_1/incidents/inc_1`;
  assert.deepEqual([client, client_url, links], ['Tocsin', url, [{ href: url, text: 'Open the incident' }]]);
  assert.deepEqual(
    { ...payload, custom_details: payload.custom_details.Cause },
    {
      summary: 'Down: Shop, expected status 200-299; got 503',
      source: 'Shop',
      severity: 'critical',
      timestamp: '2023-11-14T22:13:20.000Z',
      component: 'Shop',
      group: 'Web',
      class: 'http',
      custom_details: 'expected status 200-299; got 503',
    },
  );
});

test('Opsgenie gets its key in the header and nowhere else', () => {
  const [one] = sent(opsgenie, message([event('opened')]), KEY);
  assert.equal(one?.headers.authorization, `GenieKey ${KEY}`);
  assert.ok(!one?.body.includes(KEY));
  const body = JSON.parse(one!.body);
  assert.deepEqual(
    [body.message, body.alias, body.entity, body.source, body.tags],
    ['Down: Shop', 'inc_1', 'Shop', 'Tocsin', ['tocsin', 'Web', 'http', 'critical']],
  );
  assert.match(
    body.description,
    /^https:\/\/tocsin\.example\.com\/app\/o\/org_1\/incidents\/inc_1\n\nexpected/,
  );
});

const GROUPS: [open: number, unacknowledged: number, action: string, path: string][] = [
  [3, 3, 'trigger', 'create'],
  [3, 1, 'trigger', 'create'],
  [3, 0, 'acknowledge', '/group%3Aorg_1%3A9/acknowledge?identifierType=alias'],
  [0, 0, 'resolve', '/group%3Aorg_1%3A9/close?identifierType=alias'],
];
for (const [open, unacknowledged, action, path] of GROUPS)
  test(`a group with ${open} open and ${unacknowledged} not acknowledged: ${action}, one page`, () => {
    const given = message(storm(30, 'resolved'), group({ total: 30, open, unacknowledged }));
    const body = bodyOf(pagerduty, given, KEY);
    assert.deepEqual([body.event_action, body.dedup_key], [action, 'group:org_1:9']);
    assert.deepEqual(actions(opsgenie, given, KEY), [path]);
  });

test('notes in a group alone do not change the page; with other events they are included', () => {
  const noted = event('updated', { note: note('On it') });
  const three = group({ total: 30, open: 3 });
  assert.deepEqual(actions(opsgenie, message([noted], three), KEY), [
    '/group%3Aorg_1%3A9/notes?identifierType=alias',
  ]);
  const { note: written } = bodyOf(opsgenie, message([noted, ...storm(2)], three), KEY);
  assert.match(written, /Shop: On it \(Anna\)/);
});

test('the page of a group is as severe as the worst of its open incidents, whichever the message is about', () => {
  const pages = [{ alarmNo: 9, total: 3, open: 3, unacknowledged: 3, worst: 1 as const, mayOpen: true }];
  const given = message(storm(2, 'opened', { severity: 'degraded' }), group({ total: 3, open: 3, pages }));
  assert.equal(bodyOf(pagerduty, given, KEY).payload.severity, 'critical');
  assert.equal(bodyOf(opsgenie, given, KEY).priority, 'P1');
});

test('the page of a storm replaces those of earlier incidents', () => {
  const given = message(storm(3), group({ total: 3, open: 3, paged: ['inc_0', 'inc_1'] }));
  assert.deepEqual(
    sent(pagerduty, given, KEY).map(({ body }) => {
      const { event_action, dedup_key } = JSON.parse(body);
      return [event_action, dedup_key];
    }),
    [
      ['trigger', 'group:org_1:9'],
      ['resolve', 'inc_0'],
      ['resolve', 'inc_1'],
    ],
  );
  assert.deepEqual(actions(opsgenie, given, KEY), [
    'create',
    '/inc_0/close?identifierType=alias',
    '/inc_1/close?identifierType=alias',
  ]);
});

test('a page of a storm that nothing opens yet is left alone, and may be acknowledged and closed', () => {
  const sentFor = (open: number, unacknowledged: number) => {
    const pages = [{ alarmNo: 9, total: 3, open, unacknowledged, worst: 2 as const, mayOpen: false }];
    const given = message(storm(1, 'resolved'), group({ total: 3, open, unacknowledged, pages }));
    return [
      sent(pagerduty, given, KEY).map(({ body }) => JSON.parse(body).event_action),
      actions(opsgenie, given, KEY),
    ];
  };
  const alias = '/group%3Aorg_1%3A9';
  assert.deepEqual(sentFor(2, 2), [[], []]);
  assert.deepEqual(sentFor(2, 0), [['acknowledge'], [`${alias}/acknowledge?identifierType=alias`]]);
  assert.deepEqual(sentFor(0, 0), [['resolve'], [`${alias}/close?identifierType=alias`]]);
});

test('each alarm of a storm has its own page', () => {
  const pages = [
    { alarmNo: 9, total: 20, open: 3, unacknowledged: 0, worst: 2 as const, mayOpen: true },
    { alarmNo: 12, total: 2, open: 2, unacknowledged: 2, worst: 2 as const, mayOpen: true },
  ];
  const events = sent(pagerduty, message(storm(2), group({ pages })), KEY).map(({ body }) =>
    JSON.parse(body),
  );
  assert.deepEqual(
    events.map(({ event_action, dedup_key }) => [event_action, dedup_key]),
    [
      ['acknowledge', 'group:org_1:9'],
      ['trigger', 'group:org_1:12'],
    ],
  );
  assert.match(events[1].payload.summary, /2 incidents, 2 open/);
});
