import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibilityOf } from './window-state.ts';

test('a public window is on status pages with the monitors that it has or gets by a tag, and without any on none', () => {
  const announcement = { public_visible: true, monitors: [], tags: [] };
  const monitors = [{ id: 'mon_1', name: 'Shop', by_tag: false }];
  assert.equal(visibilityOf(announcement), 'nowhere');
  assert.equal(visibilityOf({ ...announcement, monitors }), 'public');
  assert.equal(visibilityOf({ ...announcement, tags: ['prod'] }), 'public');
  assert.equal(visibilityOf({ ...announcement, monitors, public_visible: false }), 'internal');
  assert.equal(visibilityOf({ ...announcement, public_visible: false }), 'internal');
});
