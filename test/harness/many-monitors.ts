// Monitors by the thousand: written by the database itself, with the result of creating each of them.
import { sql } from 'kysely';
import { healthy } from '#src/domain/confirmation-state.ts';
import { newId } from '#src/platform/ids.ts';
import { wakeProbes } from '#src/regions/wake.ts';
import type { Place, TestApp } from './app.ts';

export type Many = {
  count: number;
  region: string;
  place: Place;
  config: Record<string, unknown>;
  intervalSeconds?: number;
};

/** Creates monitors of type `http` that one region checks. Returns their ids. */
export async function makeMany(app: Pick<TestApp, 'db' | 'clock'>, many: Many): Promise<string[]> {
  const { count, region, place, config, intervalSeconds = 60 } = many;
  const now = app.clock.now();
  const ids = Array.from({ length: count }, () => newId('mon'));
  const { rows } = await sql<{ no: number }>`
    WITH place AS (
      UPDATE regions SET revision = revision + 1 WHERE slug = ${region} RETURNING no, revision
    ), made AS (
      INSERT INTO monitors (id, org_id, project_id, name, slug, type, config, enabled, interval_seconds, regions, policy, created_at)
      SELECT id, ${place.orgId}, ${place.projectId}, 'Many ' || id, replace(id, '_', '-'), 'http',
        ${JSON.stringify(config)}::jsonb, true, ${intervalSeconds}, ARRAY[${region}], '{}', ${now}
      FROM unnest(${ids}::text[]) AS id
      RETURNING no, id
    ), states AS (
      INSERT INTO monitor_state (monitor_no, not_before, state) SELECT no, ${now}, ${JSON.stringify(healthy)}::jsonb FROM made
    ), assigned AS (
      INSERT INTO assignments (region_no, monitor_no, monitor_id, revision, interval_seconds, changed_at)
      SELECT place.no, made.no, made.id, place.revision, ${intervalSeconds}, ${now} FROM made, place
    )
    SELECT no FROM place`.execute(app.db);
  for (const { no } of rows) await wakeProbes(app.db, no);
  return ids.sort();
}

/** A config of about this many bytes, as a tenant could write it. */
export function configOfBytes(url: string, bytes: number): { url: string; headers: Record<string, string> } {
  const headers: Record<string, string> = {};
  for (let i = 0; JSON.stringify({ url, headers }).length < bytes - 8_100; i++)
    headers[`x-${i}`] = 'a'.repeat(8_000);
  return { url, headers };
}
