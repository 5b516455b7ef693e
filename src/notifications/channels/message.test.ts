// The words of each event, whatever provider carries them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closedDrillText, openDrillText } from '../drill-text.ts';
import type { EventToRender } from './channel.ts';
import {
  BASE,
  event,
  group,
  incident,
  maintenance,
  message,
  note,
  storm,
  testEvent,
} from './channels.testing.ts';
import { renderEvent, type Tone } from './message.ts';
import { renderGroup } from './message-of-group.ts';

const anna = { actor: 'Anna' };
const over = incident({ status: 'closed', resolved_at_unix: 1_700_000_720 });
const byHand = incident({ evidence: null, monitor_name: null, cause: 'Checkout broken' });

const WORDS: [given: EventToRender, headline: string, tone: Tone, fact?: [label: string, text: string]][] = [
  [event('opened'), 'Down: Shop', 'critical', ['Regions', 'local, eu-west (of 3)']],
  [event('opened', anna), 'Down: Shop', 'critical', ['Project', 'Web']],
  [event('opened', { incident: incident({ severity: 'degraded' }) }), 'Degraded: Shop', 'warning'],
  [
    event('opened', { incident: byHand, monitor: null, ...anna }),
    'Incident: Checkout broken',
    'critical',
    ['Reported by', 'Anna'],
  ],
  [
    event('opened', { incident: incident({ severity_level: 'sev1' }) }),
    'Down: Shop',
    'critical',
    ['Severity', 'sev1'],
  ],
  [event('escalated'), 'Escalated: Shop', 'critical', ['Escalation', 'Nobody has acknowledged it yet']],
  [event('acknowledged', anna), 'Acknowledged: Shop', 'info', ['Acknowledged by', 'Anna']],
  [event('acknowledged'), 'Acknowledged: Shop', 'info', ['Severity', 'critical']],
  [event('resolved', { incident: over, ...anna }), 'Resolved: Shop', 'good', ['Resolved by', 'Anna']],
  [event('resolved', { incident: over }), 'Resolved: Shop', 'good', ['Lasted', '12 min']],
  [
    event('resolved', { incident: { ...over, auto_resolved: true }, ...anna }),
    'Resolved: Shop',
    'good',
    ['Resolved', 'By itself'],
  ],
  [event('updated', { note: note('On it') }), 'Note: Shop', 'info', ['Written by', 'Anna']],
  [event('updated', { note: note('On it', 'status_update') }), 'Status update: Shop', 'info'],
  [event('discarded', { incident: over, ...anna }), 'False alarm: Shop', 'neutral', ['Discarded by', 'Anna']],
  [event('restored', { incident: over }), 'Restored, it counts again: Shop', 'warning'],
  [event('postmortem_published', { incident: over }), 'Post-mortem published: Shop', 'info'],
  [maintenance('maintenance_started'), 'Maintenance started: New disks', 'neutral'],
  [maintenance('maintenance_ended'), 'Maintenance ended: New disks', 'good'],
  [maintenance('maintenance_ended', true), 'Maintenance cancelled: New disks', 'good'],
  [testEvent(), 'Test message: Example', 'neutral'],
];
for (const [given, headline, tone, fact] of WORDS)
  test(`${given.event}: ${headline}${fact ? `, ${fact.join(' ')}` : ''}`, () => {
    const rendered = renderEvent(given, BASE, 'en');
    assert.deepEqual([rendered.headline, rendered.tone], [headline, tone]);
    if (fact)
      assert.deepEqual(
        rendered.facts.find(({ label }) => label === fact[0]),
        { label: fact[0], text: fact[1] },
      );
  });

const GERMAN: [
  given: EventToRender,
  headline: string,
  text: string | null,
  fact: [label: string, text: string],
][] = [
  [
    event('opened', { incident: incident({ cause: 'Connection refused (2 of 3 regions)' }) }),
    'Ausgefallen: Shop',
    'Verbindung abgelehnt (2 von 3 Regionen)',
    ['Regionen', 'local, eu-west (von 3)'],
  ],
  [
    event('opened', { incident: { ...byHand, cause: 'Connection refused' }, monitor: null, ...anna }),
    'Störung: Connection refused',
    'Connection refused',
    ['Gemeldet von', 'Anna'],
  ],
  [
    event('resolved', { incident: { ...over, auto_resolved: true } }),
    'Beendet: Shop',
    'expected status 200-299; got 503',
    ['Beendet', 'Von selbst'],
  ],
];
for (const [given, headline, text, [label, fact]] of GERMAN)
  test(`in German: ${headline}`, () => {
    const rendered = renderEvent(given, BASE, 'de');
    assert.deepEqual([rendered.headline, rendered.text], [headline, text]);
    assert.deepEqual(
      rendered.facts.find((each) => each.label === label),
      { label, text: fact },
    );
  });

test('a storm and a fire drill in German', () => {
  const name = 'db.example.com, connection refused';
  const given = { ...message(storm(31)), language: 'de' } as const;
  const rendered = renderGroup(given, group({ name, total: 31, open: 31 }));
  assert.equal(
    rendered.headline,
    'Alarmsturm: db.example.com, Verbindung abgelehnt: 31 Störungen, 31 offen, 31 nicht übernommen',
  );
  for (const [text, german] of [
    [openDrillText('Anna'), /^Das ist ein Probealarm: .* Anna hat ihn ausgelöst\./],
    [openDrillText(''), /^Das ist ein Probealarm: Nichts ist ausgefallen\. Er nimmt/],
    [closedDrillText('stopped'), /^Der Probealarm wurde beendet\./],
    ['Somebody else wrote this.', /^Somebody else wrote this\.$/],
  ] as const) {
    const drill = { id: 'drl_1', state: 'open', text } as const;
    assert.match(renderEvent({ ...testEvent(), drill }, BASE, 'de').text ?? '', german);
    assert.equal(renderEvent({ ...testEvent(), drill }, BASE, 'en').text, text);
  }
});

test('a hold shows its end and its holder', () => {
  const held = incident({ alarm_held_until_unix: 1_700_000_300, alarm_held_by_name: 'Deploy bot' });
  const { facts } = renderEvent(event('opened', { incident: held }), BASE, 'en');
  assert.deepEqual(facts.slice(-2), [
    { label: 'Alarm held until', unix: 1_700_000_300 },
    { label: 'Held by', text: 'Deploy bot' },
  ]);
});

test('the text of an update is the note; otherwise it is the cause', () => {
  assert.equal(renderEvent(event('updated', { note: note('On it\nnow') }), BASE, 'en').text, 'On it\nnow');
  assert.equal(renderEvent(event('opened'), BASE, 'en').text, 'expected status 200-299; got 503');
});

test('links lead to the incident in the dashboard', () => {
  assert.equal(renderEvent(event('opened'), BASE, 'en').link.url, `${BASE}/app/o/org_1/incidents/inc_1`);
});

test('of many monitors in maintenance ten are named', () => {
  const { facts } = renderEvent(maintenance('maintenance_started'), BASE, 'en');
  const names = Array.from({ length: 10 }, (_, i) => `Monitor ${i}`).join(', ');
  assert.deepEqual(facts.at(-1), { label: 'Monitors', text: `${names} and 2 more` });
});

test('a storm counts, lists the first 20, and says how many more there are', () => {
  const rendered = renderGroup(message(storm(31)), group({ total: 31, open: 31 }));
  assert.equal(rendered.headline, 'Alarm storm: 31 incidents, 31 open, 31 not acknowledged');
  assert.equal(rendered.lines.length, 20);
  assert.deepEqual(rendered.lines[3], { symbol: '🔴', headline: 'Down: Monitor 3', text: 'cause 3' });
  assert.deepEqual([rendered.more, rendered.tone], [11, 'critical']);
  assert.equal(rendered.link.url, `${BASE}/app/o/org_1/incidents`);
});

test('a message shows the last of several events of an incident, and each note', () => {
  const [first, second] = storm(2);
  const events = [
    first!,
    second!,
    event('updated', { incident: first!.incident, monitor: first!.monitor, note: note('Looking') }),
    { ...first!, event: 'resolved' as const },
  ];
  const { lines } = renderGroup(message(events), group({ total: 30, open: 29, unacknowledged: 0 }));
  assert.deepEqual(
    lines.map(({ headline }) => headline),
    ['Resolved: Monitor 0', 'Down: Monitor 1', 'Note: Monitor 0'],
  );
});

const STATES: [open: number, unacknowledged: number, headline: string, tone: Tone][] = [
  [3, 3, 'Alarm storm: 30 incidents, 3 open, 3 not acknowledged', 'critical'],
  [3, 0, 'Alarm storm: 30 incidents, 3 open, all of these acknowledged', 'info'],
  [0, 0, 'Alarm storm over: 30 incidents, all resolved', 'good'],
];
for (const [open, unacknowledged, headline, tone] of STATES)
  test(`a storm with ${open} open and ${unacknowledged} not acknowledged`, () => {
    const rendered = renderGroup(message(storm(1)), group({ total: 30, open, unacknowledged }));
    assert.deepEqual([rendered.headline, rendered.tone], [headline, tone]);
  });

test('a storm is named by what its incidents share', () => {
  const name = 'db.example.com, connection refused';
  const { headline } = renderGroup(message(storm(1)), group({ name }));
  assert.equal(headline, `Alarm storm: ${name}: 30 incidents, 30 open, 30 not acknowledged`);
});

test('the first message about a storm lists its incidents, the next ones the changes', () => {
  const members = [
    { name: 'Shop', cause: 'refused', state: 'open' as const },
    { name: 'Mail', cause: 'refused', state: 'over' as const },
  ];
  const headlines = (reported: 'open' | null) =>
    renderGroup(message(storm(1)), group({ members, reported })).lines.map(({ headline }) => headline);
  assert.deepEqual(headlines(null), ['Down: Shop', 'Resolved: Mail']);
  assert.deepEqual(headlines('open'), ['Down: Monitor 0']);
});

test('later events of its incidents do not end a storm again', () => {
  const { headline, tone } = renderGroup(
    message(storm(2, 'discarded')),
    group({ open: 0, reported: 'over' }),
  );
  assert.deepEqual([headline, tone], ['After the alarm storm', 'neutral']);
});
