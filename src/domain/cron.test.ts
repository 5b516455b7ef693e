import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cronProblem, isTimezone } from './cron.ts';

for (const expression of [
  '* * * * *',
  ' 0  4 * * * ',
  '*/5 8-18 * * mon-fri',
  '0 0 1,15 jan-mar *',
  '0 0 29 2 *',
])
  test(`${JSON.stringify(expression)} is a cron expression`, () => {
    assert.equal(cronProblem(expression), null);
  });

for (const [expression, problem] of [
  ['', /five fields/],
  ['* * * *', /five fields/],
  ['0 * * * * *', /five fields/],
  ['@daily', /five fields/],
  ['61 * * * *', /not a cron expression/],
  ['a b c d e', /not a cron expression/],
  ['0 0 31 2 *', /never comes/],
] as const)
  test(`${JSON.stringify(expression)} is refused: ${problem.source}`, () => {
    assert.match(cronProblem(expression) ?? '', problem);
  });

test('a time zone is an IANA name, not an offset', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
    assert.ok(isTimezone(name), name);
  for (const name of ['', '+02:00', 'Mars/Base', 'Europe/Berlin ', 'Europe'])
    assert.ok(!isTimezone(name), name);
});
