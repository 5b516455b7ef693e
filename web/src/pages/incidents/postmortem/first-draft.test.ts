import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown } from '#src/domain/markdown.ts';
import type { IncidentDetail, TimelineEntry } from '#src/incidents/contract.ts';
import { linesOf } from '../timeline/lines.ts';
import { type DraftWords, escapeMarkdown, firstDraft, utcMoment } from './first-draft.ts';

const AT = Date.UTC(2026, 10, 3, 6, 19, 40) / 1000;
const incident = {
  monitor_name: 'Shop',
  cause: 'HTTP 503',
  started_at_unix: AT,
  resolved_at_unix: AT + 310,
} as IncidentDetail;
const words: DraftWords = {
  title: ({ cause }, name) => `${name}: ${cause}`,
  impact: (_, name) => `${name} was down`,
  facts: ({ started_at_unix: at }) => [['Started', utcMoment(at)]],
  timeline: 'Timeline',
  line: (line) => (line.is === 'entry' ? `${line.kind}: ${escapeMarkdown(line.entry.detail ?? '')}` : null),
  more: (count) => `${count} more`,
};
const entry = (kind: string, after: number, detail: string | null = null) =>
  ({ at_unix: AT + after, kind, actor_name: null, detail }) as TimelineEntry;

test('title, times and actions of people and the target are filled in; the alarm’s steps and things only people know are not', () => {
  const entries = [
    entry('opened', 60, 'HTTP 503'),
    entry('paged', 60, 'the loud alarm rings'),
    entry('delivered', 61, 'opened to Chat'),
    entry('acknowledged', 90),
    entry('resolved', 310, 'recovered'),
  ];
  assert.deepEqual(firstDraft(incident, linesOf(entries, []), words), {
    title: 'Shop: HTTP 503',
    summary: [
      '- **Started:** 2026-11-03 06:19:40',
      '**Timeline**',
      '- 2026-11-03 06:20:40 opened: HTTP 503\n- 2026-11-03 06:21:10 acknowledged: \n- 2026-11-03 06:24:50 resolved: recovered',
    ].join('\n\n'),
    impact: 'Shop was down',
  });
});

test('a long incident is truncated to the storable length, and says how much is missing', () => {
  const entries = Array.from({ length: 130 }, (_, i) => entry('escalated', i, 'x'.repeat(50)));
  const { summary = '' } = firstDraft(incident, linesOf(entries, []), words);
  assert.ok(summary.endsWith('- 30 more'));
  const endless = firstDraft(incident, linesOf([entry('opened', 0, 'x'.repeat(30_000))], []), words);
  assert.equal(endless.summary?.length, 20_000);
});

test('a target’s response is plain text: it creates no link, no heading and no list', () => {
  const said = 'Go to https://evil.example [here](https://evil.example) # now\n- <b>x</b> `a` *b* &amp;';
  const html = renderMarkdown(`- ${escapeMarkdown(said)}`, { headings: 4 });
  assert.doesNotMatch(html, /<a |<h\d|<code|<em>|<b>/);
  assert.equal(html.match(/<li>/g)?.length, 1);
});
