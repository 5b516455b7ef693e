// Stores requests for checks on demand. One probe of the region claims a request and writes its outcome; reading the outcome
// deletes the row. Nothing else is stored.
import { type SqlBool, sql } from 'kysely';
import { newId } from '../platform/ids.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { wakeProbes } from '../regions/wake.ts';
import type { Assignments, Judgement, Observed } from './contract.ts';

/** Payload: the id of a request that has an outcome. */
export const CHECK_NOW_CHANNEL = 'tocsin_test_runs';

/** The probe's measurement. */
export type Outcome = {
  probe_id: string;
  observed: Observed;
  judgements: Judgement[];
  reached_private?: boolean;
};

/** Requests per answer to a probe. */
const MAX_PER_ANSWER = 10;
/**
 * Nobody waits this long, so the next request deletes older rows of a server that died. A check may take five minutes (the longest
 * timeout), and whoever asked waits a little longer than that.
 */
const LOST_AFTER_MS = 600_000;

export const testContext = (id: string) => `test run ${id} config`;

/** Stores a request for the probes of a region, with its whole config sealed, and wakes them. Returns its id. */
export async function storeCheckRequest(
  db: Database,
  vault: Vault,
  test: { orgId: string; regionNo: number; type: string; config: unknown; now: Date },
): Promise<string> {
  const { orgId, regionNo, type, config, now } = test;
  const id = newId('tst');
  await db
    .deleteFrom('test_runs')
    .where('created_at', '<', new Date(now.getTime() - LOST_AFTER_MS))
    .execute();
  const config_sealed = vault.seal(JSON.stringify(config), testContext(id));
  await db
    .insertInto('test_runs')
    .values({ id, org_id: orgId, region_no: regionNo, type, config_sealed, created_at: now })
    .execute();
  await wakeProbes(db, regionNo);
  return id;
}

/** Claims waiting requests of a region for one of its probes; no other probe gets them. */
export async function claimCheckRequests(
  db: Database,
  vault: Vault,
  { regionNo }: { regionNo: number },
  probeId: string,
): Promise<Assignments['tests']> {
  const { rows } = await sql<{
    id: string;
    org_id: string;
    owner: string | null;
    type: string;
    config_sealed: string;
  }>`
    UPDATE test_runs SET claimed_by = ${probeId} WHERE id IN (
      SELECT id FROM test_runs WHERE region_no = ${regionNo} AND claimed_by IS NULL
      ORDER BY id LIMIT ${MAX_PER_ANSWER} FOR UPDATE SKIP LOCKED
    ) RETURNING id, org_id, (SELECT user_id FROM first_owners f WHERE f.org_id = test_runs.org_id) AS owner, type,
      config_sealed`.execute(db);
  return rows.map(({ id, org_id, owner, type, config_sealed }) => ({
    test_id: id,
    organization_id: org_id,
    ...(owner === null ? {} : { owner_id: owner }),
    type,
    config: JSON.parse(vault.open(config_sealed, testContext(id))) as unknown,
  }));
}

/** Stores the outcome from the probe that claimed the request; false if nobody is waiting for it any more. */
export async function storeOutcome(
  db: Database,
  { regionNo }: { regionNo: number },
  testId: string,
  outcome: Outcome,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    UPDATE test_runs SET outcome = ${JSON.stringify(outcome)}::jsonb
    WHERE id = ${testId} AND region_no = ${regionNo} AND claimed_by = ${outcome.probe_id} AND outcome IS NULL`.execute(
    db,
  );
  if (!numAffectedRows) return false;
  await sql`SELECT pg_notify(${CHECK_NOW_CHANNEL}, ${testId})`.execute(db);
  return true;
}

/** Reads the outcome, if there is one, and deletes the row. */
export async function takeOutcome(db: Database, testId: string): Promise<Outcome | null> {
  const row = await db
    .deleteFrom('test_runs')
    .where('id', '=', testId)
    .where(sql<SqlBool>`outcome IS NOT NULL`)
    .returning('outcome')
    .executeTakeFirst();
  return (row?.outcome ?? null) as Outcome | null;
}

/** Deletes a request that nobody is waiting for any more. */
export async function dropCheckRequest(db: Database, testId: string): Promise<void> {
  await db.deleteFrom('test_runs').where('id', '=', testId).execute();
}
