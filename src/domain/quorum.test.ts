import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requiredForAlarm, requiredForRecovery, requiredOf } from './quorum.ts';

for (const [mode, value, expected] of [
  ['any', null, [1, 1, 1, 1, 1]],
  ['majority', null, [1, 2, 2, 3, 3]],
  ['all', null, [1, 2, 3, 4, 5]],
  ['count', 3, [3, 3, 3, 3, 3]],
  ['percent', 1, [1, 1, 1, 1, 1]],
  ['percent', 50, [1, 1, 2, 2, 3]],
  ['percent', 51, [1, 2, 2, 3, 3]],
  ['percent', 100, [1, 2, 3, 4, 5]],
  // A later alarm standard can turn a monitor's own value into this: all regions, and not more than there are.
  ['percent', 150, [1, 2, 3, 4, 5]],
] as const) {
  test(`${mode} ${value ?? ''} requires ${expected.join(', ')} of 1 to 5 regions`, () => {
    assert.deepEqual(
      [1, 2, 3, 4, 5].map((n) => requiredOf({ mode, value }, n)),
      expected,
    );
  });
}

test('with no region online a quorum still requires one', () => {
  for (const mode of ['any', 'majority', 'all', 'percent'] as const)
    assert.equal(requiredOf({ mode, value: 50 }, 0), 1);
});

for (const [mode, value, configured, online, required] of [
  ['majority', null, 3, 3, 2],
  ['majority', null, 3, 1, 2],
  ['majority', null, 5, 2, 2],
  ['majority', null, 1, 1, 1],
  ['all', null, 4, 1, 2],
  ['all', null, 4, 3, 3],
  ['any', null, 4, 1, 1],
  ['percent', 25, 4, 4, 1],
  ['percent', 50, 4, 1, 2],
  ['count', 1, 4, 1, 1],
  ['count', 3, 4, 1, 3],
  ['count', 5, 2, 2, 2],
] as const) {
  test(`the alarm quorum ${mode} ${value ?? ''} needs ${required} with ${online} of ${configured} regions online`, () => {
    assert.equal(requiredForAlarm({ mode, value }, configured, online), required);
  });
}

test('the minimum of two applies to alarms, not to recovery', () => {
  assert.equal(requiredForRecovery({ mode: 'majority', value: null }, 3, 1), 1);
  assert.equal(requiredForRecovery({ mode: 'count', value: 5 }, 2, 2), 2);
});
