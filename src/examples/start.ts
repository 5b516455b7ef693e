import { PLATFORM_POLICY } from '../domain/policy.ts';
import type { MonitorCreate } from '../monitors/contract.ts';
import { createMonitor } from '../monitors/create.ts';
import type { ShownAt } from '../monitors/row.ts';
import type { MonitorOptions } from '../monitors/validate.ts';
import { planLimits } from '../plans/plan.ts';
import { newId } from '../platform/ids.ts';
import { Refusal, refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import type { ExampleObstacle, ExampleOutage } from './contract.ts';
import { endLater } from './end.ts';
import { findObstacle, MAX_PER_DAY, type OwnTarget } from './obstacle.ts';
import { exampleOf } from './show.ts';

export type ExampleOptions = MonitorOptions & ShownAt & { target: OwnTarget };

/** Short enough to watch, if the plan allows it. */
const INTERVAL_SECONDS = 10;
/** The target heals by itself if nobody acknowledges. */
const BROKEN_MS = 5 * 60_000;
const ENDS_MS = 10 * 60_000;
/** Long enough that people come back to the post-mortem. */
const KEPT_MS = 24 * 60 * 60_000;

const WHY: Record<Exclude<ExampleObstacle, 'often'>, string> = {
  running: 'There is an example already; remove it first.',
  elsewhere: 'This server has no bundled probe, so nothing could check an example.',
  region: 'The region local is internal, so no example can be checked from it.',
  probe: 'The region local has no probe online right now; start one, and try again.',
  private:
    'The region local may not connect to private addresses, and this server has one; the operator can allow it.',
};

/**
 * Starts the example of an organization for one person. `example_running` and `example_unavailable` (409) give the obstacle;
 * `rate_limited` after ten within a day. Refuses like the creation of a monitor.
 */
export async function startExample(
  work: Work,
  { orgId, projectId, userId }: { orgId: string; projectId: string; userId: string },
  { target, ...options }: ExampleOptions,
): Promise<ExampleOutage> {
  const { tx, now } = work;
  refuseIfAny(await findObstacle(tx, orgId, target, now));
  const id = newId('exo');
  const { minIntervalSeconds } = await planLimits(tx, orgId);
  const { alarm_quorum_value: _, recovery_quorum_value: __, ...policy } = PLATFORM_POLICY;
  const body: MonitorCreate = {
    name: 'Example: a shop that breaks',
    type: 'http',
    config: { url: `${target.at()}/example/${id}` },
    interval_seconds: Math.max(minIntervalSeconds, INTERVAL_SECONDS),
    regions: [LOCAL_REGION],
    // The walk-through relies on these settings, whatever the organization has chosen for itself.
    policy: {
      ...policy,
      failed_interval_seconds: Math.max(minIntervalSeconds, policy.failed_interval_seconds),
    },
    severity: 'critical',
  };
  const place = { orgId, projectId, within: null };
  const monitor = await createMonitor(work, place, body, { ...options, example: true });
  const after = (ms: number) => new Date(now.getTime() + ms);
  const next_at = after(ENDS_MS);
  await tx
    .insertInto('example_outages')
    .values((eb) => ({
      ...{ id, org_id: orgId, user_id: userId, started_at: now, next_at },
      monitor_no: eb.selectFrom('monitors').select('no').where('id', '=', monitor.id),
      ...{ heals_at: after(BROKEN_MS), ends_at: next_at, removed_at: after(KEPT_MS) },
    }))
    .execute()
    .catch((error: { code?: string }) => {
      if (error.code === '23505') throw new Refusal('example_running', WHY.running);
      throw error;
    });
  await endLater(work, id, next_at);
  return exampleOf(tx, orgId, userId, now);
}

function refuseIfAny(found: Awaited<ReturnType<typeof findObstacle>>): void {
  if (found === null) return;
  const { obstacle, retryAfterSeconds } = found;
  if (obstacle === 'often')
    refuse('rate_limited', `An organization may start ${MAX_PER_DAY} examples within a day.`, {
      limit: MAX_PER_DAY,
      retryAfterSeconds: retryAfterSeconds ?? 60,
    });
  refuse(obstacle === 'running' ? 'example_running' : 'example_unavailable', WHY[obstacle]);
}
