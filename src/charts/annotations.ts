// Annotations of a monitor's chart (docs/rules/figures.md#annotations).
import { sql } from 'kysely';
import type { ALARM_GATE_ORIGINS } from '../domain/names.ts';
import { notFound } from '../platform/refusals.ts';
import { unix, unixOrNull } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { freeSpan } from '../series/range.ts';
import { type Annotations, MAX_ANNOTATIONS } from './contract.ts';

export type ReaderRights = { now: Date; seesIncidents: boolean; seesMaintenance: boolean };

type Incident = {
  id: string;
  origin: 'automatic' | 'manual';
  cause: string;
  severity: string;
  status: string;
  discarded: boolean;
  started_at: Date;
  resolved_at: Date | null;
};
type Window = { id: string; title: string; starts_at: Date; ends_at: Date };
type Change = { origin: (typeof ALARM_GATE_ORIGINS)[number]; name: string; at: Date; until: Date };

/** Throws `invalid_request`, naming the parameter, for a range that is none. What is to come is not in it. */
export async function readAnnotations(
  db: Database,
  monitorId: string,
  asked: { from_unix: number; to_unix: number },
  { now, seesIncidents, seesMaintenance }: ReaderRights,
): Promise<Annotations> {
  const span = freeSpan(asked, unix(now));
  if (span === null) throw new Error('both ends are required');
  const toUnix = Math.min(span.toUnix, unix(now));
  const [from, to] = [new Date(span.fromUnix * 1000), new Date(toUnix * 1000)];
  const monitor = await db.selectFrom('monitors').select('no').where('id', '=', monitorId).executeTakeFirst();
  const no = monitor?.no ?? notFound('monitor');
  const most = MAX_ANNOTATIONS + 1;
  const [incidents, windows, changes] = await Promise.all([
    seesIncidents
      ? sql<Incident>`
          SELECT id, origin, cause, severity, status, discarded, started_at, resolved_at FROM incidents
          WHERE monitor_no = ${no} AND started_at < ${to} AND (resolved_at IS NULL OR resolved_at > ${from})
          ORDER BY started_at DESC, id DESC LIMIT ${most}`.execute(db)
      : null,
    seesMaintenance
      ? sql<Window>`
          SELECT w.id, w.title, m.starts_at, m.ends_at
          FROM maintenance_monitors m JOIN maintenance_windows w ON w.id = m.window_id
          WHERE m.monitor_no = ${no} AND m.starts_at < ${to} AND m.ends_at > ${from} AND m.ends_at > m.starts_at
          ORDER BY m.starts_at DESC, w.id DESC LIMIT ${most}`.execute(db)
      : null,
    sql<Change>`
      SELECT origin, held_by_name AS name, created_at AS at, held_until AS until FROM alarm_holds
      WHERE monitor_no = ${no} AND created_at < ${to} AND held_until >= ${from}
      ORDER BY created_at DESC, no DESC LIMIT ${most}`.execute(db),
  ]);
  const lists = [incidents, windows, changes].flatMap((list) => (list === null ? [] : [list.rows.length]));
  return {
    from_unix: span.fromUnix,
    to_unix: toUnix,
    incidents: incidents && oldestFirst(incidents.rows).map(incidentOf),
    maintenance: windows && oldestFirst(windows.rows).map(windowOf),
    changes: oldestFirst(changes.rows).map(changeOf),
    complete: lists.every((count) => count < most),
  };
}

const oldestFirst = <Row>(rows: readonly Row[]): Row[] => rows.slice(0, MAX_ANNOTATIONS).reverse();

const incidentOf = ({ started_at, resolved_at, ...incident }: Incident) => ({
  ...incident,
  started_at_unix: unix(started_at),
  resolved_at_unix: unixOrNull(resolved_at),
});

const windowOf = ({ id, title, starts_at, ends_at }: Window) => ({
  ...{ id, title },
  starts_at_unix: unix(starts_at),
  ends_at_unix: unix(ends_at),
});

const changeOf = ({ origin, name, at, until }: Change) => ({
  ...{ origin, name },
  announced_at_unix: unix(at),
  held_until_unix: unix(until),
});
