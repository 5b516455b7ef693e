// Who reports for a while yet, whatever happens: a turn of the watch looks only at the other monitors. What time changes is known
// in advance, and everything else is a new version of a row (docs/adr/0047-lists-from-versions.md).
import { sql } from 'kysely';
import { HOUR_MS } from '../domain/durations.ts';
import { onlineRegionNos } from '../monitors/no-data.ts';
import type { Database, Work } from '../platform/work.ts';

/** The result of examining a monitor: see `Reporting`. */
export type ReadMonitor = {
  no: number;
  silent: boolean;
  example: boolean;
  reports_until: [number, number][] | null;
};

/** A monitor reports until then, as long as the region is online. */
type Until = { region: number; ms: number };

/** All transactions before `to` were over at a look; `server` is the start of the database server that numbered it. */
type LastRead = { to: string | null; server: string };

/** The monitors that have to be looked at, as of this moment. */
export type Due = { nos: readonly number[]; seen: LastRead };

/** Whoever cannot fall silent is looked at this often, so that deleted monitors are forgotten. */
const NEVER_SILENT_MS = HOUR_MS;
/** The region of monitors without regions, which is never offline. */
const WITHOUT_REGION = 0;

/** By database: several servers may run in one process. */
const memories = new WeakMap<Database, KnownReports>();

export function knownReports(db: Database): KnownReports {
  const known = memories.get(db) ?? new KnownReports();
  memories.set(db, known);
  return known;
}

export class KnownReports {
  readonly #until = new Map<number, Until>();
  #seen: LastRead = { to: null, server: '' };

  /** The monitors that have to be looked at: new, changed, or not known to report any longer. */
  async due({ tx, now }: Work): Promise<Due> {
    const { rows } = await sql<{
      server: string;
      seen_to: string;
      online: number[];
      changed: number[];
      noted: number[];
    }>`
      WITH before AS MATERIALIZED (
        -- Numbers of transactions can be compared on one server of PostgreSQL only.
        SELECT CASE WHEN pg_postmaster_start_time()::text = ${this.#seen.server} THEN age(${this.#seen.to}::text::xid8::xid) END AS age
      )
      SELECT pg_postmaster_start_time()::text AS server, pg_snapshot_xmin(pg_current_snapshot())::text AS seen_to,
        ARRAY(SELECT no::int FROM ${onlineRegionNos(now)} online) AS online,
        ARRAY(SELECT monitor_no FROM silences) AS noted,
        ARRAY(
          SELECT m.no FROM before b, monitors m WHERE b.age IS NULL OR age(m.xmin) <= b.age
          UNION SELECT s.monitor_no FROM before b, monitor_state s WHERE age(s.xmin) <= b.age
        ) AS changed`.execute(tx);
    const [found] = rows;
    if (!found) throw new Error('a statement of sub-queries answers one row');
    const { server, seen_to, online, changed, noted } = found;
    const there = new Set(online);
    const due = new Set([...changed, ...noted]);
    for (const [no, { region, ms }] of this.#until)
      if (ms <= now.getTime() || !there.has(region)) due.add(no);
    return { nos: [...due], seen: { to: seen_to, server } };
  }

  /** Remembers what a look at these monitors found; those that were not found are gone. */
  keep({ nos, seen }: Due, looked: readonly ReadMonitor[], now: Date): void {
    this.#seen = seen;
    for (const no of nos) this.#until.delete(no);
    for (const { no, silent, example, reports_until } of looked) {
      // Those that are silent are noted, and looked at for that.
      if (silent) continue;
      const cannotFallSilent = example || reports_until === null;
      // One that only reports by results from before a fault of its probes is looked at in every turn.
      const until = cannotFallSilent
        ? { region: WITHOUT_REGION, ms: now.getTime() + NEVER_SILENT_MS }
        : latest(reports_until, now);
      this.#until.set(no, until);
    }
  }
}

function latest(reports: readonly (readonly [number, number])[], now: Date): Until {
  let found: Until | null = null;
  for (const [region, ms] of reports) if (found === null || ms > found.ms) found = { region, ms };
  return found ?? { region: WITHOUT_REGION, ms: now.getTime() };
}
