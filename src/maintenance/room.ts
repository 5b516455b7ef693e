// How much maintenance that comes again an organization may have ahead: every check is judged by the windows of its monitor.
import { sql } from 'kysely';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';

const MAX_WINDOWS = 20_000;
const MAX_PAIRS = 100_000;

export type PlannedWindows = {
  orgId: string;
  windows: number;
  monitors: number;
  /** A series whose windows these replace. */
  instead: string | null;
};

/** Refuses with 409 `limit_reached` windows that are too many together with those that are planned. */
export async function refuseWithoutRoom({ tx, now }: Work, wanted: PlannedWindows): Promise<void> {
  const { rows } = await sql<{ windows: number; pairs: number }>`
    SELECT count(*) AS windows, coalesce(sum(n), 0) AS pairs FROM (
      SELECT (SELECT count(*) FROM maintenance_monitors x WHERE x.window_id = w.id) AS n FROM maintenance_windows w
      WHERE w.org_id = ${wanted.orgId} AND w.scheduled_start > ${now} AND w.cancelled_at IS NULL
        AND w.series_id IS NOT NULL AND w.series_id IS DISTINCT FROM ${wanted.instead}
    ) ahead`.execute(tx);
  const [{ windows, pairs } = { windows: 0, pairs: 0 }] = rows;
  const isFull =
    Number(windows) + wanted.windows > MAX_WINDOWS ||
    Number(pairs) + wanted.windows * wanted.monitors > MAX_PAIRS;
  if (isFull)
    refuse(
      'limit_reached',
      `An organization may have ${MAX_WINDOWS} repeated maintenance windows planned, ${MAX_PAIRS} counted once for each monitor; end a repetition first.`,
      { field: 'repeat' },
    );
}
