import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { PAGE_STATES } from '#src/domain/names.ts';
import { badgeOf } from './badge.ts';
import { BADGE_STYLES } from './contract.ts';
import { groupOf, idOf, monitorOf, snapshotOf } from './snapshot.testing.ts';
import type { Snapshot } from './snapshot.ts';

const PAGE = { monitorId: null, metric: 'status', style: 'flat' } as const;

/** The text that a screen reader reads. */
function said(badge: string | null): string | undefined {
  assert.ok(badge);
  return parseXml(badge).root?.attributes['aria-label'];
}

test('a badge shows the state of the page or of a monitor, in each style', () => {
  const snapshot = snapshotOf({
    state: 'partial_outage',
    groups: [groupOf('Shop', [monitorOf(1, 'Web', { state: 'major_outage' })], 'major_outage')],
  });
  for (const style of BADGE_STYLES) {
    const own = { style, metric: 'status' as const };
    assert.match(said(badgeOf(snapshot, { ...own, monitorId: null }))!, /^Acme: Partial outage$/i);
    assert.match(said(badgeOf(snapshot, { ...own, monitorId: idOf('mon', 1) }))!, /^Web: Major outage$/i);
  }
  assert.equal(said(badgeOf(snapshot, { ...PAGE, language: 'de' })), 'Acme: Teilausfall');
  assert.equal(badgeOf(snapshot, { ...PAGE, monitorId: 'mon_other' }), null);
});

test('each state has its own colour', () => {
  const fills = PAGE_STATES.map((state) => {
    const svg = badgeOf(snapshotOf({ state }), PAGE)!;
    return [...svg.matchAll(/fill="(#[0-9a-f]{6})"/g)].map(([, color]) => color).join();
  });
  assert.equal(new Set(fills).size, PAGE_STATES.length);
});

test('uptime is truncated as on the page, and a page’s is that of its worst monitor', () => {
  const snapshot = (...pcts: (number | null)[]): Snapshot =>
    snapshotOf({
      groups: [
        groupOf(
          'Shop',
          pcts.map((uptimePct, no) => monitorOf(no, `m${no}`, { uptimePct })),
        ),
      ],
    });
  const uptime = { ...PAGE, metric: 'uptime' } as const;
  assert.equal(said(badgeOf(snapshot(100, 99.9987, null), uptime)), 'Acme: 99.998%');
  assert.equal(said(badgeOf(snapshot(100, 98.77), { ...uptime, monitorId: idOf('mon', 0) })), 'm0: 100%');
  assert.equal(said(badgeOf(snapshot(null), uptime)), 'Acme: No data');
  assert.equal(said(badgeOf(snapshot(), uptime)), 'Acme: No data');
});

test('any name gives well-formed XML of limited width, without elements of its own', () => {
  const shapeOf = (element: XmlElement): unknown[] => [
    element.name,
    element.children.filter((child) => child instanceof XmlElement).map(shapeOf),
  ];
  const plain = shapeOf(parseXml(badgeOf(snapshotOf(), PAGE)!).root!);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const { root } = parseXml(badgeOf(snapshotOf({}, { name: `x${name}<b onload="1">&` }), PAGE)!);
      assert.deepEqual(shapeOf(root!), plain);
      assert.ok(Number(root!.attributes.width) < 1200);
    }),
  );
});
