// The stored job of a group: it derives the group's status from all of its members and hands it to confirmation. The job runs
// after the change of a member is committed, in a unit of work of its own, so that no transaction locks a member and a
// group at once.
import { advanceTime, healthy, processResult } from '../domain/confirmation.ts';
import { judgeGroup } from '../domain/group.ts';
import { NO_REGION } from '../domain/no-region.ts';
import { GROUP_TASK, groupKey } from '../monitors/groups.ts';
import { addJob } from '../platform/jobs/add-job.ts';
import type { Work } from '../platform/work.ts';
import { applyDecisions } from './apply.ts';
import { membersOf, ruleOf } from './group-members.ts';
import { describeMonitors, lockStates } from './monitored.ts';

/**
 * Brings a group in line with its members, and wakes the groups that it is a member of in the same unit of work. Groups
 * form no cycles, so this ends.
 */
export async function deriveGroup(work: Work, monitorNo: number): Promise<void> {
  const [group] = await describeMonitors(work, await lockStates(work, [monitorNo]));
  if (group?.type !== 'group') return;
  // Read under the lock of the group: a later job sees a later status of the members.
  const members = await membersOf(work, group);
  const status = judgeGroup(ruleOf(group), members);
  const known = group.state.regions[NO_REGION];
  const isNew = status !== (known?.last.status ?? null);
  // A person closed the group's incident while its members still fail: the unchanged status counts as a new result.
  const repeatsStatus = known?.condition === 'doubtful';
  if (!isNew && !repeatsStatus) return;
  // This job may have waited for the lock while a member changed: the result is no older than that change.
  const turnedMs = members.map(({ statusSinceUnix }) => (statusSinceUnix ?? 0) * 1000);
  const atMs = Math.max(work.now.getTime(), (known?.last.atMs ?? 0) + 1, ...turnedMs);
  // Without members that have a status nothing fails: that ends an outage, and then the group has no status either.
  const groupResult = { region: NO_REGION, atMs, status: status ?? 'up', probeFault: false } as const;
  const decision = processResult(group.rules, group.state, groupResult, group.inputs);
  const isDue = decision.reevaluateAtMs !== null && decision.reevaluateAtMs <= work.now.getTime();
  const passed = isDue ? advanceTime(group.rules, decision.state, group.inputs) : null;
  await applyDecisions(work, [
    {
      monitor: group,
      state: status === null ? healthy : (passed?.state ?? decision.state),
      events: [...decision.events, ...(passed?.events ?? [])],
      reevaluateAtMs: passed ? passed.reevaluateAtMs : decision.reevaluateAtMs,
    },
  ]);
}

/**
 * A person closed the incident of a group whose members may still fail. A group has no checks of its own to show that, so its
 * job runs once more, after the group's failed interval.
 */
export async function deriveAgainLater(work: Work, monitorNo: number): Promise<void> {
  const [group] = await describeMonitors(work, await lockStates(work, [monitorNo]));
  if (group?.type !== 'group') return;
  const seconds = Math.min(group.rules.intervalSeconds, group.policy.failed_interval_seconds);
  const runAt = new Date(work.now.getTime() + seconds * 1000);
  const payload = { monitor_no: monitorNo };
  await addJob(work.tx, { task: GROUP_TASK, payload, key: groupKey(monitorNo), runAt });
}
