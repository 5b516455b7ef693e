import assert from 'node:assert/strict';
import { test } from 'node:test';
import { html } from '#src/platform/html.ts';
import { shownAs, snapshotOf } from '../snapshot.testing.ts';
import { between, moment, sentence, viewOf } from './view.ts';

const view = viewOf(snapshotOf({}, { timezone: 'Europe/Berlin' }), shownAs());
const textOf = ({ text }: { text: string }) => text.replace(/<[^>]*>/g, '');
const period = (from: string, to: string) => textOf(between(view, new Date(from), new Date(to)));

test('the end of a period shows its day only if it differs from the start’s in the page’s time zone', () => {
  assert.equal(
    period('2026-11-20T10:00Z', '2026-11-20T12:30Z'),
    '20 Nov, 11:00 CET to 13:30 CET (2 hrs 30 mins)',
  );
  assert.equal(
    period('2026-11-20T22:30Z', '2026-11-20T23:30Z'),
    '20 Nov, 23:30 CET to 21 Nov, 00:30 CET (1 hr)',
  );
  assert.equal(
    period('2026-07-01T10:00Z', '2026-07-03T10:00Z'),
    '1 Jul, 12:00 CEST to 3 Jul, 12:00 CEST (2 days)',
  );
});

test('a moment of another year shows it, and its title is the full moment', () => {
  const old = moment(view, new Date('2025-12-31T12:00Z'));
  assert.equal(textOf(old), '31 Dec 2025, 13:00 CET');
  const { text } = moment(view, new Date('2026-01-01T12:00Z'));
  assert.match(
    text,
    /datetime="2026-01-01T12:00:00.000Z" title="1 Jan 2026, 13:00 CET" data-form="day">1 Jan, 13:00 CET</,
  );
});

test('a sentence escapes its texts and keeps its markup', () => {
  assert.equal(
    sentence('<{a}> & {b}{c}', { a: html`<b>x</b>`, b: '<i>' }).text,
    '&#60;<b>x</b>&#62; &#38; &#60;i&#62;',
  );
});
