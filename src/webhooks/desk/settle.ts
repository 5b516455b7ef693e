// What came of tries, written down: deliveries, the health of their targets and what incidents know of it, together.
import { sql } from 'kysely';
import { nextTry } from '../../domain/backoff.ts';
import { WEBHOOK_FAMILIES } from '../../domain/names.ts';
import { announcement } from '../../platform/announcement.ts';
import type { Work } from '../../platform/work.ts';
import type { Claimed, Landed } from './flight.ts';
import { judgeTargets, lockTargets } from './health.ts';

export type DeliveryEnd = {
  orgId: string;
  incidentId: string;
  target: string;
  event: string;
  ok: boolean;
  error: string | null;
  /** How many others the same message told of. */
  others: number;
  at: Date;
};

/** Deliveries ended: they arrived, or never will without somebody's help. */
export const deliveriesEnded = announcement<readonly DeliveryEnd[]>();

type Outcome = { delivery: Claimed; state: 'delivered' | 'pending' | 'failed'; retryAt: Date | null };

/**
 * Writes down tries that ended, in the order in which they did, and answers what has ended with them, to be announced.
 * What somebody else has taken over meanwhile is theirs.
 */
export async function settle(
  work: Work,
  landed: readonly Landed[],
  random: () => number,
): Promise<DeliveryEnd[]> {
  if (landed.length === 0) return [];
  // Before anything else: whoever deletes a target holds its row first, then those of its deliveries.
  const targets = await lockTargets(work, landed);
  const outcomes = landed.map((each) => outcomesOf(work, each, random()));
  const [written] = await Promise.all([
    writeDeliveries(
      work,
      landed.map((each, i) => ({ ...each, outcomes: outcomes[i] ?? [] })),
    ),
    postponeFollowers(work, outcomes.flat()),
    judgeTargets(work, targets, landed),
  ]);
  return landed.flatMap(({ flight, attempted }, i) =>
    (outcomes[i] ?? []).flatMap(({ delivery, state }): DeliveryEnd[] => {
      if (state === 'pending' || delivery.incident_id === null || !written.has(delivery.id)) return [];
      return [
        {
          orgId: flight.orgId,
          incidentId: delivery.incident_id,
          target: flight.target.name,
          event: delivery.event,
          ok: state === 'delivered',
          error: attempted.error,
          others: flight.deliveries.length - 1,
          at: work.now,
        },
      ];
    }),
  );
}

/** What one try means for each of the deliveries it told of. They are tried again together. */
function outcomesOf({ now }: Work, { flight, attempted }: Landed, random: number): Outcome[] {
  const { outcome } = attempted;
  if (outcome.kind === 'delivered')
    return flight.deliveries.map((delivery) => ({ delivery, state: 'delivered', retryAt: null }));
  const paging = WEBHOOK_FAMILIES[flight.target.kind] === 'paging';
  const next = flight.deliveries.map((delivery) => ({
    delivery,
    next: nextTry({ attempt: delivery.attempts, outcome, random, paging }),
  }));
  // The one that has waited longest says when: what came later goes along.
  const inMs = next.reduce(
    (most, each) => (each.next.kind === 'retry' ? Math.max(most, each.next.inMs) : most),
    0,
  );
  const retryAt = new Date(now.getTime() + inMs);
  return next.map((each) =>
    each.next.kind === 'retry'
      ? { delivery: each.delivery, state: 'pending', retryAt }
      : { delivery: each.delivery, state: 'failed', retryAt: null },
  );
}

/** Answers the ids of the deliveries whose lease was still the one they were sent under. */
async function writeDeliveries(
  { tx, now }: Work,
  landed: readonly (Landed & { outcomes: readonly Outcome[] })[],
): Promise<ReadonlySet<string>> {
  const rows = landed.flatMap(({ attempted, outcomes }) =>
    outcomes.map(({ delivery, state, retryAt }) => ({
      id: delivery.id,
      made: delivery.created_at,
      lease: delivery.leased_until,
      state,
      retry: retryAt,
      status: attempted.statusCode,
      error: attempted.error,
    })),
  );
  const { oldest, newest } = span(rows.map(({ made }) => made));
  // Cancelled while it was under way: what arrived has arrived all the same, but it is not tried again.
  const { rows: written } = await sql<{ id: string }>`
    UPDATE deliveries d SET
      state = CASE WHEN r.state = 'pending' THEN d.state ELSE r.state END,
      next_attempt_at = CASE WHEN d.state = 'pending' THEN r.retry END,
      finished_at = CASE WHEN r.state = 'pending' THEN d.finished_at ELSE ${now} END,
      leased_until = NULL, status_code = r.status, error = r.error
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r
      (id text, made timestamptz, lease timestamptz, state text, retry timestamptz, status integer, error text)
    WHERE d.id = r.id AND d.created_at = r.made AND d.leased_until = r.lease
      AND d.created_at >= ${oldest} AND d.created_at <= ${newest}
    RETURNING d.id`.execute(tx);
  return new Set(written.map(({ id }) => id));
}

/** What stands behind a delivery that is tried again later is not due before it: it need not be looked at. */
async function postponeFollowers({ tx }: Work, outcomes: readonly Outcome[]): Promise<void> {
  const lanes = new Map<string, { retry: Date; made: Date }>();
  for (const { delivery, retryAt } of outcomes)
    if (retryAt && !lanes.has(delivery.lane))
      lanes.set(delivery.lane, { retry: retryAt, made: delivery.created_at });
  if (lanes.size === 0) return;
  const rows = JSON.stringify([...lanes].map(([lane, { retry }]) => ({ lane, retry })));
  const { oldest } = span([...lanes.values()].map(({ made }) => made));
  await Promise.all([
    sql`UPDATE deliveries d SET next_attempt_at = r.retry
      FROM jsonb_to_recordset(${rows}::jsonb) AS r (lane text, retry timestamptz)
      WHERE d.lane = r.lane AND d.state = 'pending' AND d.next_attempt_at < r.retry AND d.created_at >= ${oldest}`.execute(
      tx,
    ),
    sql`UPDATE grouped_lanes g SET not_before = r.retry
      FROM jsonb_to_recordset(${rows}::jsonb) AS r (lane text, retry timestamptz)
      WHERE g.lane = r.lane AND g.not_before < r.retry`.execute(tx),
  ]);
}

function span(dates: readonly Date[]): { oldest: Date; newest: Date } {
  const [first = new Date(0)] = dates;
  let oldest = first;
  let newest = first;
  for (const date of dates) {
    if (date < oldest) oldest = date;
    if (date > newest) newest = date;
  }
  return { oldest, newest };
}
