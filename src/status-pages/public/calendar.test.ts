import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import ICAL from 'ical.js';
import { calendarOf } from './calendar.ts';
import { AT, affectedBy, ago, shownAs, snapshotOf, windowOf } from './snapshot.testing.ts';
import type { PublicWindow } from './snapshot.ts';

const eventsOf = (...maintenance: PublicWindow[]) =>
  new ICAL.Component(ICAL.parse(calendarOf(snapshotOf({ maintenance }), shownAs())))
    .getAllSubcomponents('vevent')
    .map((event) => new ICAL.Event(event));

test('each window is an event in UTC with its text and affected monitors; a cancelled one says so', () => {
  const window = windowOf(1, { body: 'Slow orders; sorry,\nand thanks.' });
  const [event, cancelled] = eventsOf(
    window,
    windowOf(2, { cancelledAt: AT, body: '', monitors: affectedBy([]) }),
  );
  assert.equal(event!.uid, `${window.id}@tocsin`);
  assert.equal(event!.summary, 'Database upgrade');
  assert.equal(event!.description, 'Slow orders; sorry,\nand thanks.\n\nAffected: Checkout, Orders API');
  assert.deepEqual(
    [event!.startDate.toJSDate(), event!.endDate.toJSDate()],
    [window.startsAt, window.endsAt],
  );
  const statusOf = (each: typeof event) => each!.component.getFirstPropertyValue('status');
  assert.deepEqual([statusOf(event), statusOf(cancelled)], ['CONFIRMED', 'CANCELLED']);
});

test('the calendar is the same while nothing happens, and a change is dated', () => {
  const window = windowOf(1, { changedAt: ago(90) });
  const at = (time: Date) => calendarOf(snapshotOf({ maintenance: [window], at: time }), shownAs());
  assert.equal(at(AT), at(ago(-1)));
  const [event] = eventsOf(window);
  for (const name of ['dtstamp', 'last-modified'])
    assert.equal(String(event!.component.getFirstPropertyValue(name)), '2026-11-23T12:35:00Z', name);
});

test('no title can add a line', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const title = `x${text}\r\nBEGIN:VALARM`;
      const [event, ...more] = eventsOf(windowOf(1, { title, body: title, monitors: affectedBy([title]) }));
      assert.deepEqual(more, []);
      assert.equal(event!.component.getAllSubcomponents().length, 0);
    }),
  );
});
