import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import fc from 'fast-check';
import { atomOf, rssOf } from './feed.ts';
import {
  affectedBy,
  ago,
  idOf,
  incidentOf,
  noteOf,
  shownAs,
  snapshotOf,
  windowOf,
} from './snapshot.testing.ts';
import type { Snapshot } from './snapshot.ts';

const children = (element: XmlElement, name: string) =>
  element.children.filter((child) => child instanceof XmlElement).filter((child) => child.name === name);
const child = (element: XmlElement, name: string) => children(element, name)[0]!;
const rss = (snapshot: Snapshot) => child(parseXml(rssOf(snapshot, shownAs())).root!, 'channel');
const atom = (snapshot: Snapshot) => parseXml(atomOf(snapshot, shownAs())).root!;

const incident = incidentOf(1, {
  notes: [noteOf(1, 5, 'We found it.\nA <b>cable</b>.'), noteOf(2, 20, 'We look.')],
});
const planned = windowOf(1);

test('each incident and each maintenance is an item, identified by its id, with its notes', () => {
  const [first, second, ...more] = children(
    rss(snapshotOf({ incidents: [incident], maintenance: [planned] })),
    'item',
  );
  assert.deepEqual(more, []);
  assert.equal(child(first!, 'guid').text, incident.id);
  assert.equal(child(first!, 'guid').attributes.isPermaLink, 'false');
  assert.equal(child(first!, 'title').text, 'Outage: Checkout (Open)');
  assert.equal(child(first!, 'link').text, `https://tocsin.example/status/acme/incidents/${incident.id}`);
  assert.equal(
    child(first!, 'pubDate').text,
    'Mon, 23 Nov 2026 14:00:00 GMT',
    'when the newest note was written',
  );
  const { text } = child(first!, 'description');
  assert.match(text, /We found it\.<br>A &#60;b&#62;cable&#60;\/b&#62;\./);
  assert.ok(text.indexOf('We found it') < text.indexOf('We look'));
  assert.equal(child(second!, 'guid').text, planned.id);
  assert.equal(child(second!, 'title').text, 'Maintenance: Database upgrade (Planned)');
  assert.equal(
    child(second!, 'pubDate').text,
    'Fri, 20 Nov 2026 14:05:00 GMT',
    'when it was planned, not when it will be',
  );
});

test('an ongoing incident stays the same item, kept up to date', () => {
  const resolved = { ...incident, resolvedAt: ago(1) };
  const [item, ...more] = children(rss(snapshotOf({ incidents: [resolved] })), 'item');
  assert.deepEqual(more, []);
  assert.equal(child(item!, 'guid').text, incident.id);
  assert.equal(child(item!, 'title').text, 'Outage: Checkout (Resolved)');
  assert.equal(child(item!, 'pubDate').text, 'Mon, 23 Nov 2026 14:04:00 GMT');
});

test('an item is new at each change: an acknowledgement, a post-mortem that is written again, a window that is moved', () => {
  const postmortem = {
    ...{ title: 'A cable', summary: '', impact: '', rootCause: '', contributingFactors: '' },
    ...{ whatWentWell: '', whatWentWrong: '', lessons: '', publishedAt: ago(9), changedAt: ago(3) },
  };
  const changed: [Partial<Snapshot>, string][] = [
    [{ incidents: [{ ...incident, acknowledgedAt: ago(2) }] }, '14:03:00'],
    [{ incidents: [{ ...incident, postmortem }] }, '14:02:00'],
    [{ maintenance: [windowOf(1, { changedAt: ago(4) })] }, '14:01:00'],
    [{ maintenance: [windowOf(1, { changedAt: ago(4), state: 'active', startsAt: ago(1) })] }, '14:04:00'],
  ];
  for (const [given, time] of changed) {
    const [item] = children(rss(snapshotOf(given)), 'item');
    assert.equal(child(item!, 'pubDate').text, `Mon, 23 Nov 2026 ${time} GMT`);
  }
});

test('Atom has the same items, with an author, and with titles as HTML', () => {
  const feed = atom(
    snapshotOf({ incidents: [{ ...incident, monitors: affectedBy(['A & <B>']) }] }, { name: 'Acme & <Co>' }),
  );
  assert.equal(child(feed, 'title').text, 'Acme & <Co> · Status');
  assert.equal(child(child(feed, 'author'), 'name').text, 'Acme & <Co>');
  const entry = child(feed, 'entry');
  assert.equal(child(entry, 'id').text, `urn:tocsin:${incident.id}`);
  assert.equal(child(entry, 'title').text, 'Outage: A &#38; &#60;B&#62; (Open)');
  assert.equal(child(entry, 'updated').text, '2026-11-23T14:00:00.000Z');
  assert.equal(child(entry, 'published').text, '2026-11-23T13:23:00.000Z');
});

test('cancelled maintenance is news at the moment of its cancellation', () => {
  const [first] = children(
    rss(snapshotOf({ incidents: [incident], maintenance: [windowOf(1, { cancelledAt: ago(2) })] })),
    'item',
  );
  assert.match(child(first!, 'title').text, /\(Cancelled\)$/);
  assert.equal(child(first!, 'pubDate').text, 'Mon, 23 Nov 2026 14:03:00 GMT');
});

test('a feed is unchanged while nothing happens', () => {
  const later = {
    ...snapshotOf({ incidents: [{ ...incident, resolvedAt: ago(1) }], maintenance: [planned] }),
  };
  assert.equal(rssOf(later, shownAs()), rssOf({ ...later, at: ago(-30) }, shownAs()));
  assert.equal(atomOf(later, shownAs()), atomOf({ ...later, at: ago(-30) }, shownAs()));
});

test('a feed has at most a hundred items, the newest', () => {
  const incidents = Array.from({ length: 150 }, (_, no) =>
    incidentOf(no, { startedAt: ago(100 + no), resolvedAt: ago(99 + no) }),
  );
  const items = children(rss(snapshotOf({ incidents })), 'item');
  assert.equal(items.length, 100);
  assert.equal(child(items[0]!, 'guid').text, idOf('inc', 0));
});

test('any text gives well-formed XML with exactly that text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.constantFrom(']]>]]><b>', '&amp;&lt;', '\u0000\u000b\ud800', '<!-- ]]>--> <?php', '\u202eabc'),
  );
  fc.assert(
    fc.property(text, (written) => {
      const label = `a${written}z`;
      const snapshot = snapshotOf(
        {
          incidents: [incidentOf(1, { monitors: affectedBy([label]), notes: [noteOf(1, 1, label)] })],
          maintenance: [windowOf(1, { title: label, body: label, monitors: affectedBy([label]) })],
        },
        { name: label, headline: label },
      );
      assert.equal(children(rss(snapshot), 'item').length, 2);
      assert.equal(children(atom(snapshot), 'entry').length, 2);
      assert.match(
        child(children(rss(snapshot), 'item')[0]!, 'title').text,
        /^Outage: \u2068?a.*z\u2069? \(Open\)$/u,
      );
    }),
  );
});
