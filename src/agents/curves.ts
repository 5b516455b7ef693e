// The last three hours of each host of a page, for the list of hosts.
import { sql } from 'kysely';
import { bucketStart } from '../domain/series.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import type { Page } from '../platform/http/page.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { AgentCurve } from './contract.ts';
import { pageOfAgents } from './show.ts';

const BUCKETS = 36;
const BUCKET_SECONDS = 300;

type Means = { cpu_pct: number | null; mem_pct: number | null; load1: number | null };
type Row = { agent_id: string; buckets: ({ place: number } & Means)[] };

/** The curves of a page of agents, in the order of the list; one query, whatever the number of hosts. */
export async function listCurves(
  db: Database,
  orgId: string,
  page: Page,
  { within, now }: { within: ResourceFilter; now: Date },
): Promise<AgentCurve[]> {
  const fromUnix = bucketStart(unix(now), BUCKET_SECONDS) - (BUCKETS - 1) * BUCKET_SECONDS;
  const from = new Date(fromUnix * 1000);
  const { rows } = await sql<Row>`
    SELECT a.id AS agent_id, coalesce(c.buckets, '[]') AS buckets
    FROM (SELECT a.no, a.id FROM agents a WHERE ${await pageOfAgents(db, orgId, page, within)}) a
    CROSS JOIN LATERAL (
      SELECT jsonb_agg(b) AS buckets FROM (
        SELECT floor(extract(epoch FROM r.at - ${from}) / ${BUCKET_SECONDS}::int)::int AS place, avg(r.cpu_pct) AS cpu_pct,
          avg(r.mem_pct) AS mem_pct, avg(r.load1) AS load1
        FROM agent_readings r WHERE r.agent_no = a.no AND r.at >= ${from} AND r.at <= ${now} GROUP BY 1
      ) b
    ) c
    ORDER BY a.id DESC`.execute(db);
  return rows.map(({ agent_id, buckets }) => {
    const curve = (name: keyof Means) => {
      const values = new Array<number | null>(BUCKETS).fill(null);
      for (const bucket of buckets) if (bucket.place < BUCKETS) values[bucket.place] = rounded(bucket[name]);
      return values;
    };
    return {
      ...{ agent_id, from_unix: fromUnix, bucket_seconds: BUCKET_SECONDS },
      ...{ cpu_pct: curve('cpu_pct'), mem_pct: curve('mem_pct'), load1: curve('load1') },
    };
  });
}

/** More digits would not show in a small curve. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Number(value.toPrecision(4));
