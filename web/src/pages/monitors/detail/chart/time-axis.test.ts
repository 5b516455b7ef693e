import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLabel } from './time-axis.ts';

const formats = (clock: string) => ({ clock: () => clock, day: () => '3 Nov' });

for (const [clock, step, label] of [
  ['14:05:30', 30, '14:05:30'],
  ['14:05:00', 300, '14:05'],
  ['00:00:00', 3600, '3 Nov'],
  ['01:00:00', 86_400, '3 Nov'],
] as const)
  test(`at ${clock}, with ${step} s between ticks, the label is ${label}`, () => {
    assert.equal(timeLabel(0, step, formats(clock)), label);
  });
