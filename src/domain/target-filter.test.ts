import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { INCIDENT_SEVERITIES } from './names.ts';
import type { SeverityRank } from './severity-rank.ts';
import { isConcerned, type TargetFilter, type Traits, takesEverything } from './target-filter.ts';

const EVERYTHING: TargetFilter = { projectIds: [], tags: [], minSeverity: 'degraded' };
const PAY: Traits = { projectIds: ['shop'], tags: ['payments', 'eu'], severityRank: 2 };
const BY_HAND: Traits = { projectIds: [], tags: [], severityRank: 1 };
const WORK: Traits = { projectIds: ['shop', 'blog'], tags: ['eu'], severityRank: null };

const CASES: [does: string, filter: Partial<TargetFilter>, traits: Traits, concerned: boolean][] = [
  ['everything takes an incident', {}, PAY, true],
  ['everything takes an incident without a monitor', {}, BY_HAND, true],
  ['its project', { projectIds: ['shop', 'blog'] }, PAY, true],
  ['another project', { projectIds: ['blog'] }, PAY, false],
  ['one of its tags', { tags: ['batch', 'payments'] }, PAY, true],
  ['none of its tags', { tags: ['batch'] }, PAY, false],
  ['a part of a tag is no tag', { tags: ['pay'] }, PAY, false],
  ['less severe than it is', { minSeverity: 'degraded' }, PAY, true],
  ['as severe as it is', { minSeverity: 'default' }, PAY, true],
  ['more severe than it is', { minSeverity: 'critical' }, PAY, false],
  ['its project, but not its tags', { projectIds: ['shop'], tags: ['batch'] }, PAY, false],
  ['its tags, but not its project', { projectIds: ['blog'], tags: ['eu'] }, PAY, false],
  ['by severity, without a monitor', { minSeverity: 'critical' }, BY_HAND, true],
  ['by project, without a monitor', { projectIds: ['shop'] }, BY_HAND, false],
  ['by tag, without a monitor', { tags: ['eu'] }, BY_HAND, false],
  ['planned work has no severity', { minSeverity: 'critical' }, WORK, true],
  ['planned work in one of its projects', { projectIds: ['blog'] }, WORK, true],
  ['planned work elsewhere', { tags: ['payments'] }, WORK, false],
];
for (const [does, filter, traits, concerned] of CASES)
  test(`a filter: ${does} is ${concerned ? 'taken' : 'left out'}`, () =>
    assert.equal(isConcerned({ ...EVERYTHING, ...filter }, traits), concerned));

const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
const filters: fc.Arbitrary<TargetFilter> = fc.record({
  projectIds: names,
  tags: names,
  minSeverity: fc.constantFrom(...INCIDENT_SEVERITIES),
});
const traits: fc.Arbitrary<Traits> = fc.record({
  projectIds: names,
  tags: names,
  severityRank: fc.constantFrom<SeverityRank | null>(1, 2, 3, null),
});

test('a filter matches if each of its parts matches, and one without parts matches everything', () =>
  fc.assert(
    fc.property(filters, traits, (filter, about) => {
      const alone = (part: Partial<TargetFilter>) => isConcerned({ ...EVERYTHING, ...part }, about);
      const { projectIds, tags, minSeverity } = filter;
      assert.equal(
        isConcerned(filter, about),
        alone({ projectIds }) && alone({ tags }) && alone({ minSeverity }),
      );
      if (takesEverything(filter)) assert.equal(isConcerned(filter, about), true);
    }),
  ));

test('a match still matches with a higher severity, more tags, or a wider filter', () =>
  fc.assert(
    fc.property(filters, traits, names, (filter, about, more) => {
      if (!isConcerned(filter, about)) return;
      const { severityRank, tags } = about;
      assert.ok(isConcerned(filter, { ...about, tags: [...tags, ...more] }));
      if (severityRank !== null) assert.ok(isConcerned(filter, { ...about, severityRank: 1 }));
      if (filter.tags.length > 0)
        assert.ok(isConcerned({ ...filter, tags: [...filter.tags, ...more] }, about));
    }),
  ));
