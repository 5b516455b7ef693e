import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change } from './shown-as.ts';
import { undoOf } from './undo-of.ts';

const one = { id: 'mon_1', name: 'One', enabled: true, tags: ['web'] };
const two = { id: 'mon_2', name: 'Two', enabled: false, tags: ['web', 'eu'] };
const steps = (change: Change) =>
  undoOf([one, two], change).map(({ monitors, change: back }) => [monitors.map(({ id }) => id), back]);

test('only changed monitors are changed back', () => {
  assert.deepEqual(steps({ action: 'pause' }), [[['mon_1'], { action: 'resume' }]]);
  assert.deepEqual(steps({ action: 'resume' }), [[['mon_2'], { action: 'pause' }]]);
  assert.deepEqual(steps({ action: 'add_tags', tags: ['EU ', 'new'] }), [
    [['mon_1'], { action: 'remove_tags', tags: ['eu'] }],
    [['mon_1', 'mon_2'], { action: 'remove_tags', tags: ['new'] }],
  ]);
  assert.deepEqual(steps({ action: 'remove_tags', tags: ['eu'] }), [
    [['mon_2'], { action: 'add_tags', tags: ['eu'] }],
  ]);
});

test('an expensive change has no undo', () => {
  for (const action of ['delete', 'move', 'set_profile'] as const) assert.deepEqual(steps({ action }), []);
});
