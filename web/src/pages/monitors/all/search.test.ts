import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MonitorState } from '#src/domain/names.ts';
import type { ListedMonitor } from '#src/monitors/all/contract.ts';
import {
  type AllSearch,
  arranged,
  type Headings,
  idsByBlock,
  type Line,
  matchesFilters,
  readAllSearch,
} from './search.ts';

const line = (name: string, state: MonitorState, fields: Partial<ListedMonitor> = {}): Line => ({
  state,
  monitor: {
    ...{ id: `mon_${name}`, name, project_id: 'prj_1', type: 'http', target: `https://${name}.example.com/` },
    ...{ tags: [], regions: ['local'], ...fields },
  } as unknown as ListedMonitor,
});
const HEADINGS: Headings = {
  project: (id) => ({ prj_1: 'Shop', prj_2: 'Back office' })[id] ?? id,
  type: (type) => type.toUpperCase(),
  untagged: 'No tag',
};
const shown = (lines: readonly Line[], group?: AllSearch['group'], sort?: AllSearch['sort']) =>
  arranged(lines, { group, sort }, HEADINGS).map((item) =>
    item.kind === 'group' ? `${item.name} ${item.count} ${item.worst}` : item.line.monitor.name,
  );

test('failing monitors come first, then names', () => {
  const lines = [line('b', 'passed'), line('a', 'passed'), line('z', 'failed'), line('p', 'paused')];
  assert.deepEqual(shown(lines), ['z', 'a', 'b', 'p']);
  assert.deepEqual(shown(lines, undefined, 'name'), ['a', 'b', 'p', 'z']);
});

test('groups are sorted by name, each with its count and its worst state', () => {
  const lines = [
    line('a', 'passed'),
    line('b', 'failed', { project_id: 'prj_2', type: 'tcp' }),
    line('c', 'passed', { project_id: 'prj_2' }),
  ];
  assert.deepEqual(shown(lines, 'project'), ['Back office 2 failed', 'b', 'c', 'Shop 1 passed', 'a']);
  assert.deepEqual(shown(lines, 'type'), ['HTTP 2 passed', 'a', 'c', 'TCP 1 failed', 'b']);
});

test('a monitor appears under each of its tags, and one without tags comes last', () => {
  const lines = [line('a', 'passed'), line('b', 'passed', { tags: ['prod', 'core'] })];
  assert.deepEqual(shown(lines, 'tag'), ['core 1 passed', 'b', 'prod 1 passed', 'b', 'No tag 1 passed', 'a']);
  const keys = arranged(lines, { group: 'tag' }, HEADINGS).map(({ key }) => key);
  assert.equal(new Set(keys).size, keys.length);
});

const tagged = line('mail', 'passed', { tags: ['prod'], type: 'mail', target: 'MX.example.com:25' });
for (const [search, expected] of [
  [{}, true],
  [{ text: ' mx.EXAMPLE' }, true],
  [{ text: 'prod' }, true],
  [{ text: 'nothing' }, false],
  [{ text: 'prod mail' }, true],
  [{ text: 'mail nothing' }, false],
  [{ tag: 'prod' }, true],
  [{ tag: 'pro' }, false],
  [{ type: 'mail', project: 'prj_1' }, true],
  [{ project: 'prj_2' }, false],
] as const)
  test(`the filter ${JSON.stringify(search)} ${expected ? 'passes' : 'hides'} a monitor of mail`, () => {
    assert.equal(matchesFilters(tagged, search), expected);
  });

test('invalid parameters of an address are dropped', () => {
  assert.deepEqual(readAllSearch({ state: 'failed', type: 'nonsense', tag: 7, group: 'tag', other: 'x' }), {
    state: 'failed',
    tag: '7',
    group: 'tag',
  });
});

test('figures are fetched in whole blocks of the visible rows, each monitor once', () => {
  const items = Array.from({ length: 120 }, (_, i) => ({
    kind: 'monitor' as const,
    key: String(i),
    line: line(`m${i % 60}`, 'passed'),
  }));
  const sizes = (first: number, last: number) =>
    idsByBlock(items, { first, last }).map((ids) => ids.split(',').length);
  assert.deepEqual(sizes(0, 20), [50]);
  assert.deepEqual(sizes(40, 60), [50, 50]);
  assert.deepEqual(sizes(110, 119), [20]);
  assert.deepEqual(idsByBlock([], { first: 0, last: 0 }), []);
});
