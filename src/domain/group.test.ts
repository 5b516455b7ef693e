import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GroupRule, judgeGroup, type Member } from './group.ts';

const STATUS = { f: 'failed', d: 'degraded', p: 'passed', n: null, x: 'failed' } as const;

/** One letter a member: failed, degraded, passed, never checked, switched off (x, whatever it was). */
const members = (codes: string): Member[] =>
  [...codes].map((code, i) => ({
    id: `mon_${i}`,
    name: `Member ${i}`,
    enabled: code !== 'x',
    status: STATUS[code as keyof typeof STATUS],
    statusSinceUnix: null,
  }));

const CASES: [rule: GroupRule, value: number | null, codes: string, expected: string | null][] = [
  ['any_failed', null, 'ppp', 'up'],
  ['any_failed', null, 'pfp', 'down'],
  ['any_failed', null, 'pdp', 'degraded'],
  ['any_failed', null, 'pn', 'up'],
  ['any_failed', null, 'px', 'up'],
  ['any_failed', null, 'nnn', null],
  ['any_failed', null, 'xxx', null],
  ['any_failed', null, '', null],
  ['all_failed', null, 'fff', 'down'],
  ['all_failed', null, 'ffp', 'degraded'],
  ['all_failed', null, 'ffd', 'degraded'],
  ['all_failed', null, 'ffn', 'degraded'],
  ['all_failed', null, 'ffx', 'down'],
  ['count', 2, 'ffp', 'down'],
  ['count', 2, 'fpp', 'degraded'],
  ['count', 2, 'fxp', 'degraded'],
  ['count', 2, 'ppp', 'up'],
];

for (const [rule, value, codes, expected] of CASES)
  test(`${rule}${value === null ? '' : ` ${value}`} of ${codes || 'nobody'} is ${expected}`, () => {
    assert.equal(judgeGroup({ rule, value }, members(codes)), expected);
  });
