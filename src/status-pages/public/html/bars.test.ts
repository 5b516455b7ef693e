import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  affectedBy,
  ago,
  daysOf,
  idOf,
  incidentOf,
  monitorOf,
  shownAs,
  snapshotOf,
} from '../snapshot.testing.ts';
import type { PublicDay } from '../snapshot.ts';
import { bars, kindOf } from './bars.ts';
import { viewOf } from './view.ts';

const view = viewOf(snapshotOf(), shownAs());
const drawn = (days: PublicDay[] | null) => bars(monitorOf(1, 'Web', { days }), view)?.text ?? null;

test('a day is bad below 99 %; downtime precedes maintenance, and maintenance unknown time', () => {
  const day = (uptimePct: number | null, downtimeSeconds: number, maintenanceSeconds: number) =>
    kindOf({ date: '2026-11-23', uptimePct, downtimeSeconds, maintenanceSeconds });
  assert.equal(day(100, 0, 0), 'up');
  assert.equal(day(99, 864, 0), 'minor');
  assert.equal(day(98.99, 873, 0), 'major');
  assert.equal(day(99.9, 86, 600), 'minor');
  assert.equal(day(100, 0, 600), 'maintenance');
  assert.equal(day(null, 0, 86_400), 'maintenance');
  assert.equal(day(null, 0, 0), 'unknown');
});

test('days without an event are dashes of one line, interrupted by the others', () => {
  const text = drawn(daysOf(7, { 2: { uptimePct: 99.5, downtimeSeconds: 432 }, 6: { uptimePct: null } }))!;
  assert.match(text, /viewBox="0 0 537 36"/);
  assert.match(
    text,
    /<path class="up days" stroke-width="26" stroke-dasharray="75 2" d="M77 19H306M385 19H537">/,
  );
  assert.match(text, /<path class="unknown days" stroke-width="6" stroke-dasharray="75 2" d="M0 29H75">/);
  assert.match(
    text,
    /<path class="minor" data-day="4" d="M308 0h75v32h-75z"><title>Sat, 21 Nov 2026 · 99\.5% · 7 mins 12 secs of downtime<\/title>/,
  );
  assert.match(text, /data-first="2026-11-17" data-unknown="0-0"/);
});

test('a day lists the monitor’s incidents', () => {
  const about = incidentOf(1, {
    monitors: affectedBy(['Website']),
    startedAt: ago(2 * 1440),
    resolvedAt: ago(1440 - 60),
  });
  const other = incidentOf(2, { monitors: affectedBy(['Checkout']) });
  const days = bars(
    monitorOf(1, 'Web', {
      days: daysOf(7, {
        0: { uptimePct: 99.9, downtimeSeconds: 60 },
        1: { uptimePct: 99.9, downtimeSeconds: 60 },
        2: { uptimePct: 99.9, downtimeSeconds: 60 },
        3: { uptimePct: 99.9, downtimeSeconds: 60 },
      }),
    }),
    viewOf(snapshotOf({ incidents: [other, about] }), shownAs()),
  )!.text.matchAll(/<title>\w+, (\d+) [^<]*? of downtime( · [^<]*)?</g);
  assert.deepEqual(
    [...days].map(([, day, title]) => [day, title]),
    [
      ['20', undefined],
      ['21', ' · Outage: Website'],
      ['22', ' · Outage: Website'],
      ['23', undefined],
    ],
  );
});

test('of two monitors with the same label, only the affected one lists the incident', () => {
  const about = incidentOf(1, { monitors: [{ id: idOf('mon', 2), label: 'API' }] });
  const api = (no: number) => {
    const days = daysOf(7, { 0: { uptimePct: 99.9, downtimeSeconds: 60 } });
    return bars(monitorOf(no, 'API', { days }), viewOf(snapshotOf({ incidents: [about] }), shownAs()))!.text;
  };
  assert.match(api(2), /Outage: API/);
  assert.doesNotMatch(api(1), /Outage: API/);
});

test('screen readers announce the number of days with downtime', () => {
  assert.match(drawn(daysOf(90))!, /role="img" aria-label="Last 90 days: no downtime"/);
  const down = { uptimePct: 99, downtimeSeconds: 864 };
  assert.match(drawn(daysOf(90, { 1: down }))!, /aria-label="Last 90 days: downtime on 1 day"/);
  assert.match(drawn(daysOf(90, { 1: down, 2: down }))!, /aria-label="Last 90 days: downtime on 2 days"/);
  const unknown = { uptimePct: null };
  assert.match(drawn(daysOf(2, { 0: unknown, 1: unknown }))!, /aria-label="Last 2 days: no data"/);
});

test('a monitor whose days are hidden has no bars', () => {
  assert.equal(drawn(null), null);
  assert.equal(drawn([]), null);
});
