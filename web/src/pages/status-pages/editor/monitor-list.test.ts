import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  added,
  changed,
  groupOf,
  listOf,
  monitorsBody,
  moveByOne,
  moveGroup,
  moveToGroup,
  moveToPlaceOf,
  renameGroup,
  type ShownMonitor,
  withSameDisplay,
} from './monitor-list.ts';

const monitor = (id: string, project: string) => ({ id, name: id.toUpperCase(), project });
/** Two of the shop, then two of the blog. */
const LIST = added(
  [],
  [monitor('a', 'Shop'), monitor('b', 'Shop'), monitor('c', 'Blog'), monitor('d', 'Blog')],
);
const places = (list: readonly ShownMonitor[]) => list.map((each) => `${groupOf(each)}/${each.id}`);

test('a stored list is shown in order, groups contiguous, and sent back unchanged', () => {
  const stored = [
    { monitor: 'b', label: 'Checkout', display_name: 'Checkout', group_label: 'Site', sort_order: 7 },
    { monitor: 'a', label: 'A', display_name: null, group_label: null, sort_order: 3 },
    { monitor: 'c', label: 'C', display_name: null, group_label: 'Site', sort_order: -1 },
  ].map((each) => ({
    ...each,
    project: 'Shop',
    show_sparkline: false,
    show_uptime_bars: true,
    show_uptime_chart: false,
    uptime_window_days: 30,
    by_tag: false,
  }));
  const list = listOf(stored);
  assert.deepEqual(places(list), ['Site/c', 'Site/b', 'Shop/a']);
  assert.deepEqual(
    list.map(({ name }) => name),
    ['C', null, 'A'],
  );
  assert.deepEqual(monitorsBody(list)[1], {
    monitor_id: 'b',
    display_name: 'Checkout',
    group_label: 'Site',
    show_sparkline: false,
    show_uptime_bars: true,
    show_uptime_chart: false,
    sort_order: 1,
    uptime_window_days: 30,
  });
  assert.equal(monitorsBody(changed(list, 'b', { displayName: '  ' }))[1]?.display_name, null);
});

test('a monitor is added at the end of its project’s group', () => {
  assert.deepEqual(places(added(LIST, [monitor('e', 'Shop')])), [
    'Shop/a',
    'Shop/b',
    'Shop/e',
    'Blog/c',
    'Blog/d',
  ]);
});

test('a step within a group swaps monitors; at its edge it leads into the next group, and back', () => {
  assert.deepEqual(places(moveByOne(LIST, 'a', 1)), ['Shop/b', 'Shop/a', 'Blog/c', 'Blog/d']);
  const over = moveByOne(LIST, 'c', -1);
  assert.deepEqual(places(over), ['Shop/a', 'Shop/b', 'Shop/c', 'Blog/d']);
  assert.deepEqual(moveByOne(over, 'c', 1), LIST);
  assert.deepEqual(moveByOne(LIST, 'a', -1), LIST);
  assert.deepEqual(moveByOne(LIST, 'd', 1), LIST);
});

test('a monitor dropped on another takes its place and its group', () => {
  assert.deepEqual(places(moveToPlaceOf(LIST, 'a', 'd')), ['Shop/b', 'Blog/c', 'Blog/d', 'Blog/a']);
  assert.deepEqual(places(moveToPlaceOf(LIST, 'd', 'a')), ['Shop/d', 'Shop/a', 'Shop/b', 'Blog/c']);
  assert.deepEqual(moveToPlaceOf(LIST, 'a', 'a'), LIST);
});

test('a monitor moves to another group, or into a new one; the group of its project has no label', () => {
  const begun = moveToGroup(LIST, 'a', 'Payments');
  assert.deepEqual(places(begun), ['Shop/b', 'Blog/c', 'Blog/d', 'Payments/a']);
  assert.equal(moveToGroup(begun, 'a', 'Shop').find(({ id }) => id === 'a')?.groupLabel, null);
});

test('a group is renamed, or merged into the one with that name; groups swap places', () => {
  assert.deepEqual(places(renameGroup(LIST, 'Shop', 'Store')), ['Store/a', 'Store/b', 'Blog/c', 'Blog/d']);
  assert.deepEqual(places(renameGroup(LIST, 'Blog', 'Shop')), ['Shop/a', 'Shop/b', 'Shop/c', 'Shop/d']);
  assert.deepEqual(places(moveGroup(LIST, 'Blog', -1)), ['Blog/c', 'Blog/d', 'Shop/a', 'Shop/b']);
  assert.deepEqual(moveGroup(LIST, 'Blog', 1), LIST);
});

test('the details of one can be applied to all', () => {
  const display = { sparkline: false, bars: true, chart: false, windowDays: 7 } as const;
  assert.deepEqual(
    withSameDisplay(LIST, display).map(({ chart, windowDays }) => [chart, windowDays]),
    LIST.map(() => [false, 7]),
  );
});
