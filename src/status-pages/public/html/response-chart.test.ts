import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '#src/domain/durations.ts';
import { AT, monitorOf, shownAs, snapshotOf } from '../snapshot.testing.ts';
import { responseChart, sparkline } from './response-chart.ts';
import { viewOf } from './view.ts';

const view = viewOf(snapshotOf(), shownAs('de'));
const chartOf = (averagesMs: (number | null)[]) =>
  responseChart(
    monitorOf(1, 'Web', {
      chart: { fromMs: AT.getTime() - averagesMs.length * DAY_MS, bucketMs: DAY_MS, averagesMs },
    }),
    view,
  )?.text ?? null;

test('a chart has a round maximum, its unit at the axis, dates below, and a sentence with the same content', () => {
  const text = chartOf([100, 300, 1_500, 100])!;
  assert.match(text, /<ol class="y" aria-hidden="true"><li>2 Sek\.<\/li><li>1 Sek\.<\/li><li>0 ms<\/li>/);
  assert.match(text, /class="curve" d="M0 95l1 -10l1 -60l1 70"/);
  assert.match(text, /<li>19\. Nov\.<\/li>.*<li>22\. Nov\.<\/li>/);
  assert.match(text, /Mittlere Antwortzeit über 90 Tage: 500 ms; zwischen 100 ms und 1,5 Sek\./);
});

test('the line breaks at missing data, and a single point stays visible', () => {
  assert.match(chartOf([50, null, 100, 50, null])!, /class="curve" d="M0 50h\.5M2 0l1 50"/);
});

test('many points are reduced to their averages', () => {
  const text = chartOf(Array.from({ length: 180 }, (_, at) => (at % 2 === 0 ? 0 : 100)))!;
  assert.match(text, /class="curve" d="M0 50(l1 0){89}"/);
});

test('without data, or if hidden, there is no chart', () => {
  assert.equal(chartOf([null, null]), null);
  assert.equal(responseChart(monitorOf(1, 'Web', { chart: null }), view), null);
  assert.equal(sparkline(monitorOf(1, 'Web', { sparkline: null }), view), null);
  assert.equal(sparkline(monitorOf(1, 'Web', { sparkline: [null] }), view), null);
});

test('a sparkline states its average, and latencies of zero are a line too', () => {
  assert.match(
    sparkline(monitorOf(1, 'Web', { sparkline: [10, 20] }), view)!.text,
    /<span aria-hidden="true">15 ms<\/span>/,
  );
  assert.match(sparkline(monitorOf(1, 'Web', { sparkline: [0, 0] }), view)!.text, /d="M0 100l1 0"/);
});
