// How a walk sends to targets, and mails; and how it takes from a worker what that is sending.
import { sql } from 'kysely';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { TestApp } from '../harness/app.ts';
import type { Lease, Sender } from './interruptions.ts';

type Row = { id: number; what: string; message: string; until: Date };
const leaseOf = ({ until, ...row }: Row): Lease => ({ ...row, untilMs: until.getTime() });

/** A worker owns a delivery whose lease ends when it says. */
export function sendingToTargets(app: TestApp, orgId: string): Sender {
  const columns = sql`seq AS id, event_id AS what, lane AS message, leased_until AS until`;
  return {
    send: () => app.runTask('deliver', { alone: true, apart: true }),
    async leases() {
      const { rows } = await sql<Row>`
        SELECT ${columns} FROM delivery_queue WHERE org_id = ${orgId} AND leased_until IS NOT NULL`.execute(
        app.db,
      );
      return rows.map(leaseOf);
    },
    async disown(ids) {
      const { rows } = await sql<Row>`
        UPDATE delivery_queue SET leased_until = leased_until + interval '1 millisecond',
          next_attempt_at = next_attempt_at + interval '1 millisecond'
        WHERE org_id = ${orgId} AND seq = ANY(${ids.map(String)}::bigint[]) RETURNING ${columns}`.execute(
        app.db,
      );
      return rows.map(leaseOf);
    },
  };
}

/** A sender owns a notice while nobody has tried it since. */
export function sendingMails(app: TestApp, orgId: string): Sender {
  const columns = sql`no AS id, no::text AS what, no::text AS message, leased_until AS until`;
  return {
    send: () => app.runTask('notices'),
    async leases() {
      // A sender of another server may have claimed mails and not committed that yet. Unlike a claim of deliveries, the next claim
      // does not wait for it, but leaves out the rows that it has locked. A lock of rows here would make claims leave them out, too.
      await inTransaction(app.db, (tx) => sql`LOCK TABLE notices IN EXCLUSIVE MODE`.execute(tx));
      const { rows } = await sql<Row>`
        SELECT ${columns} FROM notices WHERE org_id = ${orgId} AND channel = 'mail' AND leased_until IS NOT NULL`.execute(
        app.db,
      );
      return rows.map(leaseOf);
    },
    async disown(ids) {
      const { rows } = await sql<Row>`
        UPDATE notices SET attempts = attempts + 1
        WHERE org_id = ${orgId} AND no = ANY(${ids.map(String)}::bigint[]) RETURNING ${columns}`.execute(
        app.db,
      );
      return rows.map(leaseOf);
    },
  };
}
