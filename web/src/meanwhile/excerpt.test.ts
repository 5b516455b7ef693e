import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerptsOf } from './excerpt.ts';

test('short texts are shown whole, long ones from where they begin to differ', () => {
  assert.deepEqual(excerptsOf('Down', 'Down again'), ['Down', 'Down again']);
  const common = 'x'.repeat(500);
  const [mine, theirs] = excerptsOf(`${common} mine`, `${common} theirs${'y'.repeat(200)}`);
  assert.equal(mine, `…${'x'.repeat(29)} mine`);
  assert.match(theirs, /^…x{29} theirsy+…$/);
  assert.equal(theirs.length, 122);
  assert.deepEqual(excerptsOf('', common), ['', `${'x'.repeat(120)}…`]);
});
