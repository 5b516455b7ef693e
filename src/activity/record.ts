// The activity log: every write is recorded in its own transaction, and linked to what its organization recorded before.
import { sql } from 'kysely';
import { pipelined } from '../platform/db/pipelined.ts';
import { newId } from '../platform/ids.ts';
import { type Actor, type Collector, defer, flushNow, type Work } from '../platform/work.ts';
import { type ChainEnd, type Entry, linkTo } from './chain.ts';

/** Tells every server, at the commit, which organization something was written in: whoever wrote it wants to see it. */
export const WRITTEN_CHANNEL = 'tocsin_written';

export type Activity = {
  orgId: string | null;
  /** `noun.verb`, e.g. monitor.create */
  action: string;
  resource: { kind: string; id: string; name: string | null };
  /** The resource before and after, as the API shows it: secrets are already masked there. */
  before?: unknown;
  after?: unknown;
};

type Recorded = Entry & { org_id: string | null };

/** Writes one activity row with the work's actor and instant; one of an organization at the end of the unit of work. */
export async function recordActivity(work: Work, activity: Activity): Promise<void> {
  const entry = entryOf(work.now, work.actor, activity);
  if (entry.org_id === null) await insert(work, [entry]);
  else defer(work, collector, entry);
}

/** Writes the entries recorded so far, for code that reads them in the same unit of work. */
export function writeRecorded(work: Work): Promise<void> {
  return flushNow(work, collector);
}

function entryOf(at: Date, actor: Actor, { orgId, action, resource, before, after }: Activity): Recorded {
  return {
    id: newId('act'),
    org_id: orgId,
    at,
    actor_kind: actor.kind,
    actor_id: actor.id,
    actor_name: actor.name,
    action,
    resource_kind: resource.kind,
    resource_id: resource.id,
    resource_name: resource.name,
    address: actor.address,
    before: asJson(before),
    after: asJson(after),
  };
}

/** The entry as it will be read back. */
const asJson = (value: unknown): unknown => (value === undefined ? null : JSON.parse(JSON.stringify(value)));

const collector: Collector<Recorded> = {
  name: 'activity',
  rank: 4,
  async flush(work, entries) {
    const byOrg = Map.groupBy(entries, ({ org_id }) => org_id ?? '');
    for (const orgId of [...byOrg.keys()].sort()) await chain(work, orgId, byOrg.get(orgId) ?? []);
  },
};

/** The row lock makes the links commit in their order. */
async function chain(work: Work, orgId: string, entries: readonly Recorded[]): Promise<void> {
  const { rows } = await sql<{ no: string; hash: Buffer }>`
    SELECT activity_no AS no, activity_hash AS hash FROM organizations WHERE id = ${orgId}
    FOR NO KEY UPDATE`.execute(work.tx);
  // The organization is deleted in this unit of work, and its log with it.
  if (!rows[0]) return insert(work, entries);
  let end: ChainEnd = { no: Number(rows[0].no), hash: rows[0].hash };
  const linked = entries.map((entry) => {
    const links = linkTo(end, entry);
    end = { no: links.chain_no, hash: links.chain_hash };
    return { ...entry, ...links };
  });
  await pipelined(
    () => insert(work, linked),
    () =>
      work.tx
        .updateTable('organizations')
        .set({ activity_no: end.no, activity_hash: end.hash })
        .where('id', '=', orgId)
        .returning(sql`pg_notify(${WRITTEN_CHANNEL}, id)`.as('notified'))
        .execute(),
  );
}

async function insert({ tx }: Work, entries: readonly Recorded[]): Promise<void> {
  const rows = entries.map(({ before, after, ...entry }) => ({
    ...entry,
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  }));
  await tx.insertInto('activity').values(rows).execute();
}
