// Looks up the records of domains when they are due: pending ones with growing pauses, verified ones each hour. Every server
// does it, but none repeats a lookup that another has begun.
import { sql } from 'kysely';
import { MINUTE_MS } from '#src/domain/durations.ts';
import type { Log } from '#src/platform/log.ts';
import type { CnameLookUp } from '#src/platform/outbound/cname.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { recordLookup } from './record-lookup.ts';
import { type DomainOptions, type DomainRow, targetOf } from './row.ts';

export type LookupsOptions = DomainOptions & {
  db: Database;
  clock: () => Date;
  log: Log;
  lookUp: CnameLookUp;
};

/** Concurrent lookups on one server, and of one organization: name servers that never answer delay nobody else. */
const MAX_PER_RUN = 16;
const MAX_PER_ORGANIZATION = 4;
/** If a server dies during a lookup, the domain is due again after this. */
const LEASE_MS = MINUTE_MS;
const EVERY_MS = 5_000;

type Due = Pick<DomainRow, 'id' | 'domain' | 'target_label'>;

/** Looks up due domains, each organization's share at a time; resolves with their number. */
export async function lookUpDue(options: LookupsOptions): Promise<number> {
  const { db, clock, lookUp } = options;
  const due = await claimDue(db, clock());
  await Promise.all(
    due.map(async (row) => {
      const result = await lookUp(row.domain, targetOf(row, options));
      await runWork(db, clock(), SYSTEM, (work) =>
        recordLookup(work, row, result, { ...options, asked: false }),
      );
    }),
  );
  return due.length;
}

async function claimDue(db: Database, now: Date): Promise<Due[]> {
  const { rows } = await sql<Due>`
    UPDATE status_page_domains d SET next_check_at = ${new Date(now.getTime() + LEASE_MS)}
    FROM (
      SELECT id FROM status_page_domains
      WHERE id IN (
        SELECT id FROM (
          SELECT id, next_check_at, row_number() OVER (PARTITION BY org_id ORDER BY next_check_at, id) AS place
          FROM status_page_domains WHERE next_check_at <= ${now}
        ) AS ranked
        WHERE place <= ${MAX_PER_ORGANIZATION} ORDER BY place, next_check_at LIMIT ${MAX_PER_RUN}
      ) AND next_check_at <= ${now}
      FOR UPDATE SKIP LOCKED
    ) AS due
    WHERE d.id = due.id RETURNING d.id, d.domain, d.target_label`.execute(db);
  return rows;
}

/** Starts the lookups, every few seconds. */
export function startLookups(options: LookupsOptions): { stop: () => Promise<void> } {
  const { log, lookUp } = options;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const turn = async () => {
    const n = await lookUpDue(options).catch((err: unknown) => {
      log.warn({ err }, 'the records of custom domains could not be looked up; trying again');
      return 0;
    });
    if (!stopped) next(n > 0 ? 0 : EVERY_MS);
  };
  const next = (inMs: number) => {
    timer = setTimeout(() => {
      running = turn();
    }, inMs);
  };
  next(EVERY_MS);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      lookUp.cancel();
      await running;
    },
  };
}
