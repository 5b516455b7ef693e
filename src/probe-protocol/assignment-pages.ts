// The assignments of a region for its probes: a page at a time, in the order of their changes.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { offsetMs } from '../domain/schedule.ts';
import { completeConfig } from '../monitors/row.ts';
import { maskConfig, openConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import type { Assignment } from './contract.ts';
import type { Cursor, Position } from './cursor.ts';

/** Bytes of configs per page. A config has at most 64 KiB; a larger one, from before that limit, gets its own page. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** Monitors read for a page, and removed monitors listed in it. */
export const PAGE_MONITORS = 5_000;
/** A larger config, from an old import, is not sent at all. */
const MAX_CONFIG_BYTES = 2 * 1024 * 1024;
/** Bytes of an assignment without its config, defaults included. */
const OVERHEAD_BYTES = 1_024;

export type PageQuery = {
  regionNo: number;
  /** The start of the page. */
  from: Cursor;
  /** Is the monitor in the share of the asking probe? */
  isMine: (monitorId: string) => boolean;
  /** false: secrets are masked. */
  withSecrets: boolean;
};

export type Page = {
  monitors: Assignment[];
  removed: string[];
  /** null: this was the last page. */
  next: Cursor | null;
};

type Head = {
  revision: number;
  no: number;
  monitor_id: string;
  interval_in_force: number;
  /** null: at the position of its own. */
  offset_ms: number | null;
  /** null: the monitor was deleted with its organization. */
  bytes: number | null;
};

type Content = {
  no: number;
  org_id: string;
  owner: string | null;
  type: string;
  config: Record<string, unknown>;
  interval_seconds: number;
};

type Tools = { db: Database; vault: Vault; log: Log };

/** The next page of assigned and removed monitors: a few megabytes at most, however large the region is. */
export async function readPage(tools: Tools, query: PageQuery): Promise<Page> {
  const { regionNo, from, isMine } = query;
  const [heads, gone] = await Promise.all([
    readHeads(tools.db, regionNo, from.assigned),
    readGone(tools.db, regionNo, from.removed),
  ]);
  const removed = gone.filter(({ monitor_id }) => isMine(monitor_id)).map(({ monitor_id }) => monitor_id);
  const chosen: Head[] = [];
  let bytes = 0;
  let assigned = from.assigned;
  let cut = false;
  for (const head of heads) {
    const mine = isMine(head.monitor_id);
    const size = mine ? (head.bytes ?? 0) + OVERHEAD_BYTES : 0;
    cut = mine && chosen.length > 0 && bytes + size > PAGE_BYTES;
    if (cut) break;
    assigned = head;
    bytes += size;
    if (!mine) continue;
    if (head.bytes === null) removed.push(head.monitor_id);
    else if (head.bytes <= MAX_CONFIG_BYTES) chosen.push(head);
    else
      tools.log.error(
        { monitor_id: head.monitor_id },
        'a monitor cannot be checked: its config is too large',
      );
  }
  const more = cut || heads.length === PAGE_MONITORS || gone.length === PAGE_MONITORS;
  return {
    monitors: await contentsOf(chosen, query, tools),
    removed,
    next: more ? { assigned: positionOf(assigned), removed: positionOf(gone.at(-1) ?? from.removed) } : null,
  };
}

/** The shortest interval, in seconds, among the monitors of a region that are `isMine`; null if there are none. */
export async function shortestInterval(
  db: Database,
  regionNo: number,
  isMine: (monitorId: string) => boolean,
): Promise<number | null> {
  const rows = await db
    .selectFrom('assignments')
    .select(['monitor_id', 'interval_seconds'])
    .where('region_no', '=', regionNo)
    .where('removed', '=', false)
    .orderBy('interval_seconds')
    .execute();
  return rows.find(({ monitor_id }) => isMine(monitor_id))?.interval_seconds ?? null;
}

const positionOf = ({ revision, no }: Position): Position => ({ revision, no });

const after = ({ revision, no }: Position): RawBuilder<SqlBool> =>
  sql`(a.revision, a.monitor_no) > (${revision}::bigint, ${no}::int)`;

async function readHeads(db: Database, regionNo: number, position: Position): Promise<Head[]> {
  const { rows } = await sql<Head>`
    SELECT a.revision, a.monitor_no AS no, a.monitor_id, a.interval_seconds AS interval_in_force,
      a.offset_ms, octet_length(m.config::text) AS bytes
    FROM assignments a LEFT JOIN monitors m ON m.no = a.monitor_no
    WHERE a.region_no = ${regionNo} AND NOT a.removed AND ${after(position)}
    ORDER BY a.revision, a.monitor_no LIMIT ${PAGE_MONITORS}`.execute(db);
  return rows;
}

async function readGone(
  db: Database,
  regionNo: number,
  position: Position,
): Promise<(Position & { monitor_id: string })[]> {
  const { rows } = await sql<Position & { monitor_id: string }>`
    SELECT a.revision, a.monitor_no AS no, a.monitor_id FROM assignments a
    WHERE a.region_no = ${regionNo} AND a.removed AND ${after(position)}
    ORDER BY a.revision, a.monitor_no LIMIT ${PAGE_MONITORS}`.execute(db);
  return rows;
}

async function contentsOf(
  heads: readonly Head[],
  { withSecrets }: PageQuery,
  { db, vault, log }: Tools,
): Promise<Assignment[]> {
  if (heads.length === 0) return [];
  const rows = await db
    .selectFrom('monitors')
    .select(['no', 'org_id', 'type', 'config', 'interval_seconds'])
    .select(sql`(SELECT user_id FROM first_owners f WHERE f.org_id = monitors.org_id)`.as('owner'))
    .where(
      'no',
      'in',
      heads.map(({ no }) => no),
    )
    .$castTo<Content>()
    .execute();
  const contents = new Map(rows.map((row) => [row.no, row]));
  return heads.flatMap((head) => {
    const content = contents.get(head.no);
    if (!content) return [];
    // A monitor whose secrets cannot be opened (another SECRET_KEY) must not block the others.
    try {
      return [assignmentOf(head, content, withSecrets ? vault : null)];
    } catch (err) {
      log.error({ err, monitor_id: head.monitor_id }, 'a monitor cannot be checked');
      return [];
    }
  });
}

/** Without a `vault` the secrets stay masked. */
function assignmentOf(head: Head, content: Content, vault: Vault | null): Assignment {
  const rules = rulesOf(content.type);
  const { monitor_id, interval_in_force, offset_ms } = head;
  const config = completeConfig(rules, content.config, content.interval_seconds);
  return {
    monitor_id,
    organization_id: content.org_id,
    ...(content.owner === null ? {} : { owner_id: content.owner }),
    type: rules.type,
    config: vault ? openConfig(rules, config, monitor_id, vault) : maskConfig(rules, config),
    interval_seconds: interval_in_force,
    offset_ms: offset_ms ?? offsetMs(monitor_id, interval_in_force * 1000),
  };
}
