// A lane is what is delivered strictly in order: one target and one incident (reliability, section 4).
import { addJob } from '../platform/jobs/add-job.ts';
import type { Tx } from '../platform/work.ts';

export const DELIVER_TASK = 'deliver';

export const laneOf = (targetId: string, incidentId: string) => `${targetId}:${incidentId}`;

/** Has the lane looked at as soon as this commits; a retry that is already waiting keeps its time unless replaced. */
export async function wakeLane(
  tx: Tx,
  lane: string,
  mode: 'preserve_run_at' | 'replace' = 'preserve_run_at',
): Promise<void> {
  await addJob(tx, { task: DELIVER_TASK, payload: { lane }, key: `deliver:${lane}`, mode });
}

/** Has the lane looked at when its next try is due. */
export async function scheduleLane(tx: Tx, lane: string, at: Date): Promise<void> {
  await addJob(tx, { task: DELIVER_TASK, payload: { lane }, key: `deliver:${lane}`, runAt: at });
}
