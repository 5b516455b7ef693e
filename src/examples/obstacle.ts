// Whether an example outage can be started, and if not, why.
import { isIP } from 'node:net';
import { sql } from 'kysely';
import { DAY_MS } from '../domain/durations.ts';
import { networkAccess } from '../domain/network-policy.ts';
import type { Database, Tx } from '../platform/work.ts';
import { LOCAL_REGION } from '../regions/create.ts';
import { onlineNow } from '../regions/liveness.ts';
import type { ExampleObstacle } from './contract.ts';

/** Examples that an organization may start within a day. */
export const MAX_PER_DAY = 10;

/** The address at which the bundled probe beside this server reaches it; `at` returns null if there is none. */
export type OwnTarget = { at: () => string | null };

/** The first obstacle, or null; `retryAfterSeconds` with `often`. */
export async function findObstacle(
  db: Database | Tx,
  orgId: string,
  { at }: OwnTarget,
  now: Date,
): Promise<{ obstacle: ExampleObstacle; retryAfterSeconds?: number } | null> {
  const dayAgo = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<{ running: boolean; today: number; oldest: Date | null }>`
    SELECT coalesce(bool_or(monitor_no IS NOT NULL), false) AS running,
      (count(*) FILTER (WHERE started_at > ${dayAgo}))::int AS today, min(started_at) FILTER (WHERE started_at > ${dayAgo}) AS oldest
    FROM example_outages WHERE org_id = ${orgId}`.execute(db);
  const [row] = rows;
  if (row?.running) return { obstacle: 'running' };
  if (row?.oldest && row.today >= MAX_PER_DAY)
    return {
      obstacle: 'often',
      retryAfterSeconds: Math.max(1, Math.ceil((row.oldest.getTime() - dayAgo.getTime()) / 1000)),
    };
  const own = at();
  if (own === null) return { obstacle: 'elsewhere' };
  const { rows: regions } = await sql<{ internal: boolean; online: boolean; private: boolean }>`
    SELECT r.internal, ${onlineNow(now)} AS online, r.allow_private_targets AS private
    FROM regions r WHERE r.slug = ${LOCAL_REGION}`.execute(db);
  const [region] = regions;
  if (!region || region.internal) return { obstacle: 'region' };
  if (!region.online) return { obstacle: 'probe' };
  return isReached(own, region.private) ? null : { obstacle: 'private' };
}

function isReached(url: string, allowPrivate: boolean): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 || networkAccess(host, { allowPrivate }).allowed;
}
