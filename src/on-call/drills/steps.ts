// Runs a fire drill (docs/rules/on-call-and-alarms.md#fire-drills): an alarm without incidents, with the plan, steps, jobs,
// senders and audience of alarms. Code that counts or shows incidents does not see it.
import { sql } from 'kysely';
import { notifyBy, planChain, type Step } from '#src/domain/escalation.ts';
import type { Work } from '#src/platform/work.ts';
import { storeStepJobs } from '../alarm/escalation-job.ts';
import { reachedBefore } from '../alarm/reached-before.ts';
import { planAt, readPlanInput } from '../alarm-plan.ts';
import { endDrill } from './end.ts';
import { type DrillTarget, reach } from './reach.ts';
import { onCallOf, type RunningDrill } from './running.ts';

/** A drill that nobody answers ends this long after its last step. */
const PATIENCE_MINUTES = 15;

/** The chain that an alarm starting now would have, without reminders; with targets only for a drill of the whole chain. */
async function planOf({ tx, now }: Work, drill: RunningDrill) {
  const input = await readPlanInput(tx, drill.orgId, now);
  if (!drill.forPerson) return withoutReminder(planAt(input, now));
  const { rotation, administrators, settings } = onCallOf(input.onCall, drill);
  const planned = planChain(rotation, administrators, settings, now.getTime());
  return withoutReminder(planned.map((each) => ({ ...each, targets: [] as DrillTarget[] })));
}

const withoutReminder = <Planned extends { step: Step }>(plan: readonly Planned[]) =>
  plan.filter(({ step }) => step !== 'reminder');

/** Begins a stored drill: notifies the people of its start, and stores the later steps. */
export async function beginDrill(work: Work, drill: RunningDrill): Promise<void> {
  const plan = await planOf(work, drill);
  const later = plan.filter(({ afterMinutes }) => afterMinutes > 0);
  const last = Math.max(...plan.map(({ afterMinutes }) => afterMinutes));
  const steps = [
    ...later.map(({ step, afterMinutes }) => ({ step: step as string, afterMinutes })),
    { step: 'drill_end', afterMinutes: last + PATIENCE_MINUTES },
  ];
  await work.tx
    .insertInto('alarm_steps')
    .values(
      steps.map(({ step, afterMinutes }) => ({
        alarm_no: drill.alarmNo,
        step,
        due_at: new Date(work.now.getTime() + afterMinutes * 60_000),
      })),
    )
    .execute();
  await storeStepJobs(work, [drill.alarmNo]);
  for (const { step, afterMinutes, reaches, targets } of plan)
    if (afterMinutes === 0) await reach(work, drill, step, { reaches, targets });
}

/** Runs the due steps of a drill, in their order. The organization is locked. */
export async function runDrillSteps(
  work: Work,
  drill: RunningDrill,
  steps: readonly string[],
): Promise<void> {
  for (const step of steps) {
    if (step === 'drill_end') return endDrill(work, drill, 'unanswered');
    await work.tx
      .updateTable('alarm_steps')
      .set({ done_at: work.now })
      .where('alarm_no', '=', drill.alarmNo)
      .where('step', '=', step)
      .execute();
    await runStep(work, drill, step as Step);
  }
}

/** Looks up the recipients of a step when it runs. A target is notified once when the drill begins, and once when it ends. */
async function runStep(work: Work, drill: RunningDrill, step: Step): Promise<void> {
  const { tx, now } = work;
  const input = await readPlanInput(tx, drill.orgId, now);
  const { rotation, administrators } = onCallOf(input.onCall, drill);
  const known = await reachedBefore(work, drill.alarmNo);
  const { reaches } = notifyBy(step, rotation, administrators, now.getTime(), known);
  const { rows } = await sql<{ id: string }>`
    SELECT recipient_id AS id FROM fire_drill_reaches WHERE drill_id = ${drill.id} AND target_name IS NOT NULL`.execute(
    tx,
  );
  const notified = new Set(rows.map(({ id }) => id));
  const all = (await planOf(work, drill)).find((planned) => planned.step === step)?.targets ?? [];
  await reach(work, drill, step, { reaches, targets: all.filter(({ id }) => !notified.has(id)) });
}
