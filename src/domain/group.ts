// Derives the status of a group from its members (docs/rules/confirmation.md#groups). Pure.
import type { Opened } from './confirmation-types.ts';
import type { Evidence } from './evidence.ts';
import { expectationOfGroup, expectationOfMember } from './expectation-words.ts';
import { capital, listed } from './failure-words.ts';
import type { CheckStatus, DisplayStatus } from './names.ts';

export type GroupRule = 'any_failed' | 'all_failed' | 'count';

export type Member = {
  id: string;
  name: string;
  enabled: boolean;
  /** null before its first check, and while it fails in maintenance without an incident of its own. */
  status: DisplayStatus | null;
  /** Unix seconds since when it has this status. */
  statusSinceUnix: number | null;
};

/**
 * The status derived from the members; null while none of them has one. Members that are switched off do not count:
 * they neither fail nor keep `all_failed` from being met. Members that were never checked have not failed, so they do
 * keep it from being met. With a member failed or degraded and the rule not met, the group is degraded.
 */
export function judgeGroup(
  { rule, value }: { rule: GroupRule; value: number | null },
  members: readonly Member[],
): CheckStatus | null {
  const asked = members.filter((member) => member.enabled);
  const known = asked.filter((member) => member.status !== null);
  if (known.length === 0) return null;
  const failed = failedOf(members).length;
  const needed = { any_failed: 1, all_failed: asked.length, count: value ?? 1 }[rule];
  if (failed >= Math.max(1, needed)) return 'down';
  return known.every((member) => member.status === 'passed') ? 'up' : 'degraded';
}

/** Members that count as failed. */
export function failedOf(members: readonly Member[]): Member[] {
  return members.filter((member) => member.enabled && member.status === 'failed');
}

export const MEMBER_FAILED = 'member_failed';

/** Evidence and words of a group's incident: a finding names every failed member, and there are no checks of its own. */
export function groupEvidence(
  base: Evidence,
  rule: { rule: GroupRule; value: number | null },
  members: readonly Member[],
  opened: Opened,
): { evidence: Evidence; cause: string; summary: string } {
  const failed = failedOf(members);
  const names = failed.map((member) => member.name);
  const expected = expectationOfGroup(rule.rule, rule.value);
  const actual =
    names.length === 0
      ? 'members had failed'
      : `${names.length} of ${members.length} members failed: ${listed(names, 'and')}`;
  return {
    evidence: {
      ...base,
      failure_class: MEMBER_FAILED,
      expected_summary: `Expected ${expected}.`,
      actual_summary: `${capital(actual)}.`,
      checks: [],
      findings: failed.map(({ name, statusSinceUnix }) => ({
        failure_class: MEMBER_FAILED,
        expected_summary: `Expected ${expectationOfMember(name)}.`,
        actual_summary: `${name} has failed.`,
        occurrence_count: 1,
        latest_checked_at_unix: statusSinceUnix ?? Math.floor(opened.triggeredAtMs / 1000),
        regions: [],
      })),
    },
    cause: capital(actual),
    summary: `${base.monitor_name}: ${actual}. Expected ${expected}.`,
  };
}
