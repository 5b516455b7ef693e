// Keeps the responses of failing targets (docs/rules/monitor-types.md#what-a-failing-target-answered), sealed, beside their
// checks. They are written after the decision is committed, so that no incident waits for them.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ResponseExcerpt } from '../capsules/response-contract.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Log } from '../platform/log.ts';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import type { Result, ResultsReply } from '../probe-protocol/contract.ts';
import { keepsPrivateResponses } from '../regions/private-responses.ts';
import { CHECK_RESPONSES } from '../retention.ts';
import { makeEnsureDays } from '../series/days.ts';
import { answerBudget } from './answer-budget.ts';
import type { CheckRecord } from './contract.ts';
import type { RunWork } from './isolate-failures.ts';
import { checkId } from './records.ts';

/** Responses sealed before this process turns to other work. */
const SEALED_AT_A_TIME = 25;

export const responseContext = (id: string) => `answer of ${id}`;

type Answered = { monitor_id: string; checked_at_ms: number; response_excerpt: ResponseExcerpt };
type Known = {
  place: number;
  no: number;
  at_ms: number;
  org_id: string;
  owner: string | null;
  keeps_private: boolean;
};

export type KeepResponses = (
  region: { regionNo: number },
  batch: { results: readonly unknown[]; refused: ResultsReply['refused'] },
  run: RunWork,
) => Promise<void>;

/**
 * Makes a function that keeps the responses of a stored batch. It never throws: a response that cannot be kept is lost, but its
 * check is not.
 */
export function makeKeepResponses(db: Database, vault: Vault, log: Log): KeepResponses {
  const ensureDays = makeEnsureDays(db, CHECK_RESPONSES);
  const mayStore = answerBudget();

  async function keep(regionNo: number, answered: readonly Answered[], run: RunWork): Promise<void> {
    await ensureDays(answered.map(({ checked_at_ms }) => checked_at_ms));
    const known = await knownOf(db, regionNo, answered);
    const rows: { id: string; at_ms: number; sealed: string }[] = [];
    for (const [index, { place, no, at_ms, org_id, owner, keeps_private }] of known.entries()) {
      if (index % SEALED_AT_A_TIME === SEALED_AT_A_TIME - 1) await setImmediate();
      const excerpt = answered[place]?.response_excerpt as ResponseExcerpt;
      const id = checkId(no, regionNo, at_ms);
      // The probe may not know yet that this region no longer keeps them.
      const kept = excerpt.private && !keeps_private ? withheld(excerpt) : excerpt;
      const sealed = vault.seal(JSON.stringify(kept), responseContext(id));
      if (await mayStore(org_id, owner, sealed.length)) rows.push({ id, at_ms, sealed });
    }
    if (rows.length === 0) return;
    await run(async ({ tx }) => {
      // A crash may lose the last responses, but never their checks.
      await sql`SET LOCAL synchronous_commit = off`.execute(tx);
      await sql`
        INSERT INTO check_responses (check_id, checked_at, response_sealed)
        SELECT id, to_timestamp(at_ms::float8 / 1000), sealed FROM unnest(
          ${rows.map(({ id }) => id)}::text[], ${pgArray(rows.map(({ at_ms }) => at_ms))}::bigint[],
          ${rows.map(({ sealed }) => sealed)}::text[]) AS r (id, at_ms, sealed)
        ON CONFLICT DO NOTHING`.execute(tx);
    });
  }

  return async ({ regionNo }, { results, refused }, run) => {
    const bad = new Set(refused.map(({ index }) => index));
    const answered = results.filter(
      (result, index): result is Answered => !bad.has(index) && hasAnswer(result as Result),
    );
    if (answered.length === 0) return;
    try {
      await keep(regionNo, answered, run);
    } catch (err) {
      log.warn({ err, answers: answered.length }, 'could not store the responses of targets');
    }
  };
}

const hasAnswer = ({ response_excerpt, status }: Result) =>
  response_excerpt !== undefined && status === 'down';

const withheld = (excerpt: ResponseExcerpt): ResponseExcerpt => ({
  ...excerpt,
  headers: [],
  body: null,
  body_kind: 'unread',
  truncated: false,
  withheld: true,
});

/** The failed checks of this region that these responses belong to and that have none yet. */
async function knownOf(db: Database, regionNo: number, answered: readonly Answered[]): Promise<Known[]> {
  const instants = answered.map(({ checked_at_ms }) => checked_at_ms);
  const [first, last] = [new Date(Math.min(...instants)), new Date(Math.max(...instants))];
  const { rows } = await sql<Known>`
    SELECT a.place::int - 1 AS place, m.no, a.at_ms, m.org_id,
      (SELECT user_id FROM first_owners f WHERE f.org_id = m.org_id) AS owner,
      (SELECT ${keepsPrivateResponses} FROM regions r WHERE r.no = ${regionNo}) AS keeps_private
    FROM unnest(${answered.map(({ monitor_id }) => monitor_id)}::text[], ${pgArray(instants)}::bigint[])
      WITH ORDINALITY AS a (monitor_id, at_ms, place)
    JOIN monitors m ON m.id = a.monitor_id
    CROSS JOIN LATERAL stored_checks(m.no, ${regionNo}::smallint, to_timestamp(a.at_ms::float8 / 1000),
      to_timestamp(a.at_ms::float8 / 1000) + interval '1 microsecond') c
    WHERE c.status = 2 AND c.checked_at BETWEEN ${first} AND ${last}`.execute(db);
  return rows;
}

/** Adds its target's response to each check; null where none was kept, or it is no longer kept. */
export async function withResponses(
  db: Database,
  vault: Vault,
  checks: readonly CheckRecord[],
): Promise<CheckRecord[]> {
  const failed = checks.filter(({ status }) => status === 'down');
  const answers = new Map<string, ResponseExcerpt | null>();
  if (failed.length > 0) {
    const seconds = failed.map(({ checked_at_unix }) => checked_at_unix);
    const { rows } = await sql<{ check_id: string; response_sealed: string }>`
      SELECT check_id, response_sealed FROM check_responses
      WHERE check_id = ANY(${failed.map(({ id }) => id)}::text[])
        AND checked_at >= to_timestamp(${Math.min(...seconds)}) AND checked_at < to_timestamp(${Math.max(...seconds) + 1})`.execute(
      db,
    );
    for (const { check_id, response_sealed } of rows)
      answers.set(check_id, opened(vault, response_sealed, check_id));
  }
  return checks.map((check) => ({ ...check, response_excerpt: answers.get(check.id) ?? null }));
}

/** null for a response sealed under a key that is gone. */
function opened(vault: Vault, sealed: string, id: string): ResponseExcerpt | null {
  try {
    return JSON.parse(vault.open(sealed, responseContext(id))) as ResponseExcerpt;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
