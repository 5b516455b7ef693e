// GET | HEAD /example/{id}: the target of an example outage. It belongs to the installation, is checked as any http monitor
// (docs/adr/0024-checks-of-this-installation.md), has no other state than its own outage, and disappears after some minutes.
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isFromCheck } from '../platform/http/own-checks.ts';
import { isId } from '../platform/ids.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

const WORKS = { status: 'ok', orders_waiting: 0 };
const BROKEN = {
  status: 'failing',
  error: 'checkout: no connection to the database shop-db-1:5432 (connection refused)',
  since_version: '2.14.0',
  note: 'This is the example of Tocsin. Nothing is really broken.',
};

export function serveExampleTarget(
  http: FastifyInstance,
  { db, clock }: { db: Database; clock: () => Date },
): void {
  http.get<{ Params: { id: string } }>('/example/:id', async (request, reply) => {
    const { id } = request.params;
    const works = isId('exo', id) ? await ask(db, id, clock(), isFromCheck(request.headers)) : null;
    if (works === null) return notFound('example outage');
    return reply
      .header('cache-control', 'no-store')
      .status(works ? 200 : 503)
      .send(works ? WORKS : BROKEN);
  });
}

/** Whether the target works; null if there is none, or it is over. It works for the first check, and then breaks. */
async function ask(db: Database, id: string, now: Date, byCheck: boolean): Promise<boolean | null> {
  const { rows } = await sql<{ fails_since: Date | null; heals_at: Date }>`
    SELECT fails_since, heals_at FROM example_outages
    WHERE id = ${id} AND monitor_no IS NOT NULL AND ends_at > ${now}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  if (row.fails_since !== null) return row.heals_at <= now;
  if (byCheck)
    await sql`UPDATE example_outages SET fails_since = ${now} WHERE id = ${id} AND fails_since IS NULL`.execute(
      db,
    );
  return true;
}
