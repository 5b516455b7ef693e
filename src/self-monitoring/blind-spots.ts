// Lists an organization's blind spots: monitors that have been without data for long, that people were mailed about, or that cannot
// be checked.
import { sql } from 'kysely';
import { cannotCheck } from '../domain/cannot-check.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { BlindSpots } from './contract.ts';
import { isLongSilent, OF_SILENT_HOST } from './notify-organizations.ts';

const MAX_NAMED = 20;

type Row = {
  id: string;
  name: string;
  project_id: string;
  since: Date;
  cannot: string | null;
  total: number;
};

/**
 * As recorded in the last turn, longest without data first; a narrowed key sees its own monitors. Mails wait for ten minutes after
 * the one before; the dashboard does not.
 */
export async function blindSpots(
  db: Database,
  orgId: string,
  within: ResourceFilter,
  now: Date,
): Promise<BlindSpots> {
  const seen = within
    ? seenIn(within, { project: 'monitors.project_id', monitor: 'monitors.id' })
    : sql`true`;
  const { rows } = await sql<Row>`
    SELECT monitors.id, monitors.name, monitors.project_id, silences.since, silences.cannot_check AS cannot,
      count(*) OVER ()::int AS total
    FROM silences JOIN monitors ON monitors.no = silences.monitor_no
      JOIN monitor_state s ON s.monitor_no = monitors.no
    WHERE monitors.org_id = ${orgId} AND ${seen}
      AND (silences.trouble_no IS NOT NULL OR silences.cannot_check IS NOT NULL
        OR (${isLongSilent(now)} AND NOT ${OF_SILENT_HOST}))
    ORDER BY silences.since, monitors.no LIMIT ${MAX_NAMED}`.execute(db);
  const [first] = rows;
  return {
    total: first?.total ?? 0,
    since_unix: first === undefined ? null : unix(first.since),
    monitors: rows.map(({ id, name, project_id, since, cannot }) => ({
      monitor_id: id,
      name,
      project_id,
      no_data_since_unix: unix(since),
      cannot_check: cannotCheck(cannot),
    })),
  };
}
