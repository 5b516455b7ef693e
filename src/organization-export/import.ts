// Imports an organization that another installation has exported: all of it in one transaction, or nothing.
import { sql } from 'kysely';
import type { ChainEnd } from '../activity/chain.ts';
import { recordActivity } from '../activity/record.ts';
import { slugFrom } from '../domain/slug.ts';
import { logPrivateResponses } from '../organizations/create.ts';
import { isBeingPurged } from '../organizations/delete.ts';
import { makePartition } from '../platform/db/partitions.ts';
import type { Vault } from '../platform/secrets.ts';
import { type Actor, type Database, runWork, type Work } from '../platform/work.ts';
import { chainColumns, entryOf } from './activity-chain.ts';
import type { DataOf } from './format.ts';
import { type Loading, loadLines } from './load.ts';
import { type Invited, importPeople } from './people.ts';
import { type Line, readLines } from './read-lines.ts';
import { monitorsWithoutAgent, refuseStrangeReferences } from './references.ts';
import { isPastKeeping, scanLines } from './scan-lines.ts';

export type ImportOptions = {
  db: Database;
  vault: Vault;
  path: string;
  /** Instead of the one in the file. */
  slug: string | null;
  plan: string;
  now: Date;
  actor: Actor;
  progress?: (done: number, of: number) => void;
  signal?: AbortSignal;
};

export type Imported = {
  organization: { id: string; name: string; slug: string };
  lines: number;
  /** Rows that were past their retention. */
  leftOut: number;
  members: number;
  invited: Invited[];
  ownedBy: string | null;
  madeRegions: string[];
  /** Names of monitors whose agent is not on this installation. */
  withoutAgent: string[];
};

/** Lines written at a time. */
const BATCH = 500;

/**
 * Imports an organization with its ids. Refuses one whose id or slug is taken, one that was deleted here a moment ago, one with a
 * malformed line, and one that nobody here could own.
 */
export async function importOrganization(options: ImportOptions): Promise<Imported> {
  const { db, now, path } = options;
  const survey = await scanLines(path, now, options.signal);
  const slug = checkedSlug(options.slug ?? survey.organization.slug);
  await refuseExisting(db, survey.organization.id, slug);
  // Before the transaction, one at a time: creating a partition blocks all writes to its table.
  for (const { partitioned, from } of survey.partitions) await makePartition(db, partitioned, from);

  return runWork(db, now, options.actor, async (work) => {
    const organization = await makeOrganization(work, survey.organization, slug, options.plan);
    const people = await importPeople(work, organization.id, survey.members, survey.invitations);
    const regions = await work.tx.selectFrom('regions').select(['slug', 'no']).execute();
    const loading: Loading = {
      work,
      vault: options.vault,
      orgId: organization.id,
      userIds: people.userIds,
      regionNos: new Map(regions.map((region) => [region.slug, region.no])),
      madeRegions: [],
      profiles: new Map(),
      standard: null,
      projects: new Set(),
      maintenanceSeries: new Set(),
      monitorNos: new Map(),
      naming: [],
      incidents: new Set(),
      statusPages: new Set(),
      targets: new Set(),
    };
    let leftOut = 0;
    let dropped: ChainEnd | null = null;
    let done = 0;
    for await (const lines of batches(readLines(path))) {
      options.signal?.throwIfAborted();
      const kept = lines.filter((line) => !isPastKeeping(line, now));
      await loadLines(loading, kept);
      leftOut += lines.length - kept.length;
      for (const line of lines) if (isPastKeeping(line, now)) dropped = endAt(line) ?? dropped;
      done += lines.length;
      options.progress?.(done, survey.lines);
    }
    await recordDroppedChain(work, organization.id, dropped, survey.organization.activity_no === undefined);
    refuseStrangeReferences(loading.naming);
    const withoutAgent = await monitorsWithoutAgent(work.tx, loading.naming);
    await recordActivity(work, {
      orgId: organization.id,
      action: 'organization.import',
      resource: { kind: 'organization', id: organization.id, name: organization.name },
      after: organization,
    });
    return {
      organization,
      lines: done,
      leftOut,
      members: people.userIds.size,
      invited: people.invited,
      ownedBy: people.ownedBy,
      madeRegions: loading.madeRegions,
      withoutAgent,
    };
  });
}

async function makeOrganization(
  work: Work,
  { id, name, live_seq, created_at, language, ...given }: DataOf<'organization'>,
  slug: string,
  plan: string,
): Promise<Imported['organization']> {
  const { numInsertedOrUpdatedRows: made } = await work.tx
    .insertInto('organizations')
    .values({
      id,
      name,
      slug,
      plan,
      live_seq,
      created_at,
      language: language ?? 'en',
      ...chainColumns(given),
    })
    // Made meanwhile, by another import or by somebody here: the insert has waited for it.
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (made === 0n) await refuseExisting(work.tx, id, slug);
  await logPrivateResponses(work);
  return { id, name, slug };
}

/** The position in the chain of a line of the activity log; null for any other line. */
function endAt(line: Line): ChainEnd | null {
  if (line.kind !== 'activity') return null;
  const { chain_no, chain_hash } = entryOf(line.data);
  return chain_no === null || chain_hash === null ? null : { no: chain_no, hash: chain_hash };
}

/** The chain begins after the entries that were past their retention; an older log has no chain. */
async function recordDroppedChain(
  { tx }: Work,
  orgId: string,
  dropped: ChainEnd | null,
  isOlder: boolean,
): Promise<void> {
  if (dropped)
    await tx
      .updateTable('organizations')
      .set({ activity_dropped_no: dropped.no, activity_dropped_hash: dropped.hash })
      .where('id', '=', orgId)
      .execute();
  if (isOlder)
    await sql`
      UPDATE organizations SET activity_unchained = (SELECT count(*) FROM activity WHERE org_id = ${orgId})
      WHERE id = ${orgId}`.execute(tx);
}

function checkedSlug(slug: string): string {
  if (slug === '' || slugFrom(slug) !== slug)
    throw new Error(
      `"${slug}" cannot be a slug: lower-case letters, digits and single hyphens, at most 63. Choose another with --slug.`,
    );
  return slug;
}

async function refuseExisting(db: Database, id: string, slug: string): Promise<void> {
  const existing = await db
    .selectFrom('organizations')
    .select(['id', 'slug'])
    .where((eb) => eb.or([eb('id', '=', id), eb('slug', '=', slug)]))
    .executeTakeFirst();
  if (existing?.id === id)
    throw new Error(
      `The organization already exists here, as ${existing.slug} with the same id ${id}. Nothing was imported.`,
    );
  if (existing)
    throw new Error(
      `Another organization here has the slug ${slug}. Choose another for the imported one: --slug NEW. Nothing was imported.`,
    );
  // What is still to be removed has the ids of the file, and its removal would take the imported logs along.
  if (await isBeingPurged(db, id))
    throw new Error(
      `The organization ${id} was deleted here, and its logs are still being removed. Try again in a minute. Nothing was imported.`,
    );
}

/** Consecutive lines of one kind, at most so many at a time. */
async function* batches(lines: AsyncIterable<Line>): AsyncIterable<Line[]> {
  let held: Line[] = [];
  for await (const line of lines) {
    if (held.length >= BATCH || (held[0] && held[0].kind !== line.kind)) {
      yield held;
      held = [];
    }
    held.push(line);
  }
  if (held.length > 0) yield held;
}
