// Tests of the page, its history and its incidents as HTML.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { PAGE_STATES } from '#src/domain/names.ts';
import { renderEmbed } from './embed.ts';
import { PAGE_HEADERS, renderHistory, renderIncident, renderPage } from './page.ts';
import { SCENES } from './scenes.testing.ts';
import {
  AT,
  affectedBy,
  ago,
  groupOf,
  incidentOf,
  monitorOf,
  noteOf,
  shownAs,
  snapshotOf,
  windowOf,
} from './snapshot.testing.ts';
import type { MonthlyUptime, Snapshot } from './snapshot.ts';
import { WORDS } from './words.ts';

const OPEN = { asOf: false, subscribe: true };
const page = (snapshot: Snapshot, language: 'en' | 'de' = 'en') =>
  renderPage(snapshot, shownAs(language), OPEN);
const body = (document: string) =>
  document
    .replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>/g, '')
    .replace(/^[\s\S]*<body/, '<body');
const textOf = (document: string) =>
  body(document)
    .replace(/<title>[^<]*<\/title>/g, '')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');

/** Names of all tags with those of their attributes: the document as a browser parses it, without its texts. */
const skeletonOf = (document: string) =>
  [
    ...document
      .replace(/<style>[\s\S]*?<\/style>|<script>[\s\S]*?<\/script>/g, '')
      .matchAll(/<(\/?[a-z0-9!]+)((?:"[^"]*"|[^">])*)>/g),
  ].map(([, name, attributes]) => `${name} ${attributes!.replace(/="[^"]*"/g, '=')}`);

/** This text replaces every text that a person writes. */
function written(text: string): Snapshot {
  const postmortem = {
    ...{ title: text, summary: text, impact: text, rootCause: text, contributingFactors: text },
    ...{ whatWentWell: text, whatWentWrong: text, lessons: text, publishedAt: AT, changedAt: AT },
  };
  return snapshotOf(
    {
      groups: [groupOf(text, [monitorOf(1, text), monitorOf(2, text)])],
      incidents: [
        incidentOf(1, { monitors: affectedBy([text, text]), notes: [noteOf(1, 3, text)] }),
        incidentOf(2, {
          monitors: affectedBy([text]),
          resolvedAt: ago(1),
          postmortem,
          notes: [noteOf(2, 3, text)],
        }),
      ],
      maintenance: [
        windowOf(1, { title: text, body: text, monitors: affectedBy([text]) }),
        windowOf(2, { title: text, body: text, monitors: affectedBy([text]), state: 'active' }),
        windowOf(3, {
          title: text,
          body: text,
          monitors: affectedBy([text]),
          state: 'past',
          startsAt: ago(100),
          endsAt: ago(50),
        }),
      ],
    },
    { name: text, headline: text, description: text, headerNav: [{ label: text, href: '/' }] },
  );
}

const months = (label: string): MonthlyUptime[] => [
  { month: '2026-11', monitors: [{ id: 'mon_1', label, uptimePct: 99.95, downtimeSeconds: 1260 }] },
];

function documentsOf(snapshot: Snapshot, label: string): string[] {
  return [
    page(snapshot),
    page(snapshot, 'de'),
    renderHistory(snapshot, shownAs(), months(label)),
    ...snapshot.incidents.map(({ id }) => renderIncident(snapshot, shownAs(), id) ?? ''),
    renderEmbed(snapshot, shownAs(), { asOf: false }),
  ];
}

const NASTY = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></textarea><svg onload=alert(1)>',
  '<!-- ]]> --> &lt;b&gt; &#60;i&#62;',
  '`alert(1)`{{7*7}}',
  '\u202e)1(trela\u2066<\u2069',
  'javascript:alert(1)',
];

/** Notes and post-mortems are Markdown, which has elements of its own (src/domain/markdown.test.ts). */
const withoutMarkdown = (document: string) =>
  document.replace(/<div class="written" dir="auto">.*?<\/div>/gs, '');
const skeletons = (text: string) =>
  documentsOf(written(text), text).map((document) => skeletonOf(withoutMarkdown(document)));

test('whatever people write, a browser builds the same elements from the page', () => {
  const plain = skeletons('x');
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: 'binary', maxLength: 40 })), (text) => {
      const label = `x${text}`;
      assert.deepEqual(skeletons(label), plain);
    }),
    { numRuns: 40 },
  );
});

test('each state has its words, glyph and class, in both languages', () => {
  for (const state of PAGE_STATES) {
    const own = state === 'partial_outage' ? 'major_outage' : state;
    const snapshot = snapshotOf({
      state,
      groups: [groupOf('Shop', [monitorOf(1, 'Web', { state: own })], state)],
    });
    for (const language of ['en', 'de'] as const) {
      const document = page(snapshot, language);
      const words = WORDS[language];
      assert.match(document, new RegExp(`<h1>${words.headline[state]}</h1>`));
      assert.ok(document.includes(`<title>${words.headline[state]} · Acme</title>`));
      assert.match(document, new RegExp(`<div class="overall ${state}"><svg class="glyph ${state}"`));
      assert.match(
        document,
        new RegExp(`<span class="state ${own}"><svg[^>]*>.*?</svg>${words.state[own]}</span>`),
      );
      assert.match(document, new RegExp(`<html lang="${language}"`));
    }
  }
});

test('the owner’s links that are not http, https, mailto or relative are omitted', () => {
  const bad = [
    ...[
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      ' javascript:alert(1)',
      'java\tscript:alert(1)',
      '\u0000https://x',
    ],
    ...['data:text/html,x', 'vbscript:x', '//evil.example', '/\\evil.example', 'file:///etc/passwd', ''],
  ];
  const good = ['https://a.example/?b=c&d', 'http://a.example', 'mailto:a@b.example', '/docs', 'docs#a'];
  const headerNav = [...bad, ...good].map((href, at) => ({ label: `link-${at}`, href }));
  const links = [...page(snapshotOf({}, { headerNav })).matchAll(/<a href="([^"]*)" rel="noopener">/g)];
  assert.deepEqual(
    links.map(([, href]) => href!.replaceAll('&#38;', '&')),
    good,
  );
});

test('an open incident lists its updates newest first, with its start, affected monitors and responder', () => {
  const incident = incidentOf(1, {
    monitors: affectedBy(['Checkout', 'Website']),
    acknowledgedAt: ago(1),
    notes: [noteOf(1, 5, 'Second.\nWith a line.'), noteOf(2, 20, 'First.')],
  });
  const document = page(snapshotOf({ state: 'partial_outage', incidents: [incident] }));
  const text = textOf(document);
  assert.match(text, /Outage: Checkout and Website/);
  assert.match(text, /We are on it ?Since 23 Nov, 14:23 CET \(42 mins\)/);
  assert.match(text, /Affected: Checkout, Website/);
  assert.ok(text.indexOf('Second.') < text.indexOf('First.'));
  assert.ok(
    document.includes('<div class="written" dir="auto"><p>Second.<br>\nWith a line.</p>\n</div>'),
    'line breaks stay',
  );
  assert.ok(document.includes(`href="/status/acme/incidents/${incident.id}"`));
});

test('incidents of the last 14 days are listed by day, older ones are not, and a quiet period is one sentence', () => {
  const day = 1440;
  const old = incidentOf(1, {
    monitors: affectedBy(['Old']),
    startedAt: ago(15 * day),
    resolvedAt: ago(15 * day - 5),
  });
  const new_ = incidentOf(2, {
    monitors: affectedBy(['New']),
    startedAt: ago(2 * day),
    resolvedAt: ago(2 * day - 5),
  });
  const text = textOf(page(snapshotOf({ incidents: [new_, old] })));
  assert.match(
    text,
    /Saturday 21 November ?Outage: New ?Resolved ?21 Nov, 15:05 CET to 15:10 CET \(5 mins\)/,
  );
  assert.ok(!text.includes('Outage: Old'));
  assert.match(text, /No incidents were posted on the other days\./);
  assert.match(textOf(page(snapshotOf())), /No incidents were posted in the last 14 days\./);
});

test('past maintenance is not announced, active comes first, and a cancelled one says so', () => {
  const text = textOf(
    page(
      snapshotOf({
        maintenance: [
          windowOf(1, { title: 'Over', state: 'past', startsAt: ago(20 * 1440), endsAt: ago(20 * 1440 - 9) }),
          windowOf(2, { title: 'Running', state: 'active' }),
          windowOf(3, { title: 'Called off', cancelledAt: ago(60) }),
        ],
      }),
    ),
  );
  assert.ok(!text.includes('Over'));
  assert.match(text, /Maintenance in progress ?Running ?In progress/);
  assert.match(text, /Planned maintenance ?Called off ?Cancelled/);
});

test('an incident’s page has its whole history and its post-mortem; an unknown one is 404', () => {
  const snapshot = SCENES.outage!();
  const postmortem = snapshot.incidents.find((incident) => incident.postmortem)!;
  const document = renderIncident(snapshot, shownAs(), postmortem.id)!;
  assert.match(document, /<h1><bdi>Orders were refused for 58 minutes<\/bdi><\/h1>/);
  assert.match(textOf(document), /Root cause.*lost its rights/);
  assert.ok(!textOf(document).includes('What went wrong'), 'a part that nobody wrote has no heading');
  assert.match(textOf(document), /The incident is resolved\..*The incident began\./);
  assert.equal(renderIncident(snapshot, shownAs(), 'inc_other'), null);
});

test('the history has twelve months, with incidents and uptime; if figures cannot be read it says so', () => {
  const snapshot = SCENES.operational!();
  const text = textOf(renderHistory(snapshot, shownAs(), months('Website')));
  assert.match(text, /November 2026 ?2 incidents/);
  assert.match(text, /Website ?99\.95% ?21 mins/);
  assert.match(text, /October 2026 ?No incidents.*September 2026 ?1 incident ?Incident/);
  assert.match(text, /December 2025 ?No incidents/);
  assert.match(textOf(renderHistory(snapshot, shownAs(), null)), /cannot be read at the moment/);
});

test('a widget that the server cannot renew has its age in place of the name', () => {
  const text = (asOf: boolean) => renderEmbed(snapshotOf(), shownAs(), { asOf }).replace(/<[^>]*>/g, ' ');
  assert.match(text(false), /Acme(?!.*Not updated since)/);
  assert.match(text(true), /Not updated since\s+\d\d:\d\d/);
});

test('while the database is down, the page shows how old its data is', () => {
  const document = renderPage(snapshotOf(), shownAs('de'), { asOf: true, subscribe: false });
  assert.match(
    textOf(document),
    /Stand von 15:05 MEZ\. Die Seite kann im Moment nicht aktualisiert werden\./,
  );
  assert.ok(!document.includes('/subscriptions'));
});

test('a preview has no working links or scripts, sends nothing, and shows the given logos', () => {
  const preview = { logo: 'data:image/png;base64,AAAA', logoDark: 'data:image/png;base64,BBBB' };
  const document = renderPage(SCENES.outage!(), shownAs(), { ...OPEN, preview });
  assert.equal(/<a[^>]* href=/.test(document), false);
  assert.equal(document.includes('<script'), false);
  assert.match(document, /<form inert /);
  assert.match(
    document,
    /srcset="data:image\/png;base64,BBBB"><img src="data:image\/png;base64,AAAA" alt="Acme">/,
  );
});

test('the policy names exactly the style and the script of the page', () => {
  const document = page(snapshotOf());
  const hashOf = (tag: string) => {
    const [, text = ''] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(document) ?? [];
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  const policy = PAGE_HEADERS['content-security-policy']!;
  assert.ok(policy.includes(`style-src ${hashOf('style')};`));
  assert.ok(policy.includes(`script-src ${hashOf('script')};`));
  assert.equal(/ style="| on[a-z]+="/.test(body(document)), false, 'the policy would block it');
});

test('a page without our brand does not name us; a private page is hidden from search engines', () => {
  assert.match(page(snapshotOf()), /Tocsin/);
  assert.equal(/tocsin(?!\.example)/i.test(page(snapshotOf({}, { hidesBrand: true }))), false);
  assert.equal(page(snapshotOf()).includes('noindex'), false);
  assert.ok(page(snapshotOf({}, { accessMode: 'viewer_login' })).includes('noindex'));
});

test('a group is collapsed if configured so, with its state beside the name', () => {
  const document = page(snapshotOf());
  assert.match(
    document,
    /<details class="group" data-key="group Shop" open><summary><h3><bdi>Shop<\/bdi><\/h3><span class="state/,
  );
  assert.match(document, /<details class="group" data-key="group Internal tools"><summary>/);
});

test('heading levels are never skipped, and every id is unique', () => {
  for (const [name, scene] of Object.entries(SCENES)) {
    const snapshot = scene();
    for (const document of documentsOf(snapshot, 'x')) {
      const levels = [...document.matchAll(/<h([1-6])/g)].map(([, level]) => Number(level));
      if (!document.includes('class="embed"')) assert.equal(levels[0], 1, name);
      for (const [at, level] of levels.entries())
        assert.ok(level <= (levels[at - 1] ?? 1) + 1, `${name}: ${levels}`);
      const ids = [...body(document).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, name);
    }
  }
});
