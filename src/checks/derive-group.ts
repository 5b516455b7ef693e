// The stored job of a group: looks at all of its members and tells confirmation what they are together. It runs after whoever
// changed a member has committed, in a unit of work of its own, so nobody ever holds a member and a group at once.
import { passTime, takeResult } from '../domain/confirmation.ts';
import { judgeGroup } from '../domain/group.ts';
import { NO_REGION } from '../domain/no-region.ts';
import { GROUP_TASK, groupKey } from '../monitors/groups.ts';
import { addJob } from '../platform/jobs/add-job.ts';
import type { Work } from '../platform/work.ts';
import { applyDecisions } from './apply.ts';
import { membersOf, ruleOf } from './group-members.ts';
import { describeSubjects, lockStates } from './monitored.ts';

/**
 * Brings a group in line with its members. Groups that it is a member of are woken by that, in the same unit of work;
 * there are no cycles, so it ends.
 */
export async function deriveGroup(work: Work, monitorNo: number): Promise<void> {
  const [subject] = await describeSubjects(work, await lockStates(work, [monitorNo]));
  if (subject?.type !== 'group') return;
  // Read under the lock of the group: who comes later sees what is later.
  const members = await membersOf(work, subject);
  const status = judgeGroup(ruleOf(subject), members);
  const known = subject.state.regions[NO_REGION];
  const isNew = known === undefined ? status !== null : known.last.status !== (status ?? 'up');
  // What it says has not changed, or a person closed its incident while it goes on: then it has to say so once more.
  const saysAgain = known?.condition === 'doubtful';
  if (!isNew && !saysAgain) return;
  // A member may have turned after this job began, which waited for the group: what follows from it is no older.
  const turnedMs = members.map(({ statusSinceUnix }) => (statusSinceUnix ?? 0) * 1000);
  const atMs = Math.max(work.now.getTime(), (known?.last.atMs ?? 0) + 1, ...turnedMs);
  const observation = { region: NO_REGION, atMs, status: status ?? 'up', probeFault: false } as const;
  const taken = takeResult(subject.subject, subject.state, observation, subject.around);
  const isDue = taken.reevaluateAtMs !== null && taken.reevaluateAtMs <= work.now.getTime();
  const passed = isDue ? passTime(subject.subject, taken.state, subject.around) : null;
  await applyDecisions(work, [
    {
      subject,
      state: passed?.state ?? taken.state,
      events: [...taken.events, ...(passed?.events ?? [])],
      reevaluateAtMs: passed ? passed.reevaluateAtMs : taken.reevaluateAtMs,
    },
  ]);
}

/**
 * A person closed the incident of a group while its members may still fail. No check of its own will say so again, so it looks
 * once more after the interval at which other failing monitors are checked.
 */
export async function deriveAgainLater(work: Work, monitorNo: number): Promise<void> {
  const [subject] = await describeSubjects(work, await lockStates(work, [monitorNo]));
  if (subject?.type !== 'group') return;
  const seconds = Math.min(subject.subject.intervalSeconds, subject.policy.failed_interval_seconds);
  const runAt = new Date(work.now.getTime() + seconds * 1000);
  const payload = { monitor_no: monitorNo };
  await addJob(work.tx, { task: GROUP_TASK, payload, key: groupKey(monitorNo), runAt });
}
