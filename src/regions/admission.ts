// Probes are registered by name. Only admitted probes get monitors and secrets, and count for liveness. A token admits the
// first `max_probes` names that use it; further ones wait for the operator. So the holder of a token cannot invent probes to
// take over work.
import { type RawBuilder, sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { findRegion } from './find.ts';
import { wakeProbes } from './wake.ts';

/** A calling probe, identified by its token. */
export type CallingProbe = { regionNo: number; regionSlug: string; tokenId: string };

export type Admission = 'admitted' | 'waiting' | 'refused';

/** Most names that may wait in a region. */
export const MAX_WAITING = 20;
/** A probe not seen for this long is forgotten when another one registers, which frees its name on the token. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;
/** The same for a probe that waited for admission and gave up. */
const GAVE_UP_AFTER_MS = 86_400_000;
/** How often a call of a refused probe is written down. */
const REFUSED_SEEN_EVERY_MS = 30_000;

/** Admits a probe by its name, or refuses it (403) with the remedy. Registers a new one. */
export async function admitProbe(
  db: Database,
  caller: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  const known = await db
    .selectFrom('probes')
    .select(['admission', 'token_id'])
    .where('region_no', '=', caller.regionNo)
    .where('probe_id', '=', probeId)
    .executeTakeFirst();
  // Checks a waiting probe again: the token may admit another name by now.
  const isKnown = known?.token_id === caller.tokenId && known.admission !== 'waiting';
  const admission = isKnown
    ? (known.admission as Admission)
    : await inTransaction(db, (tx) => makeKnown(tx, caller, probeId, now));
  if (admission === 'refused') await noteRefusedCall(db, caller, probeId, now);
  refuseUnless(admission, caller, probeId);
}

/** A name that is refused and still calls must not be forgotten: it would be admitted as a new one. */
async function noteRefusedCall(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  await db
    .updateTable('probes')
    .set({ last_seen_at: now })
    .where('region_no', '=', regionNo)
    .where('probe_id', '=', probeId)
    .where('admission', '=', 'refused')
    .where('last_seen_at', '<', new Date(now.getTime() - REFUSED_SEEN_EVERY_MS))
    .execute();
}

/** Refuses (403) a probe that is not admitted. */
export function refuseUnless(
  admission: Admission | null,
  { regionSlug }: CallingProbe,
  probeId: string,
): void {
  if (admission === 'admitted') return;
  if (admission === 'refused')
    refuse('forbidden', `The operator of this installation has refused the probe ${probeId}.`);
  refuse(
    'forbidden',
    `The probe ${probeId} waits to be admitted: its token has admitted as many as it may. The operator can admit it on the region's page, or with "tocsin region admit ${regionSlug} ${probeId}".`,
  );
}

/** Handles a new name, or a known one with another token. */
async function makeKnown(
  tx: Tx,
  { regionNo, tokenId }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<Admission> {
  // Serializes probes that register with one token at the same time.
  const token = await tx
    .selectFrom('probe_tokens')
    .select('max_probes')
    .where('id', '=', tokenId)
    .forUpdate()
    .executeTakeFirst();
  if (!token)
    return refuse('unauthenticated', 'This probe token has been revoked; ask the operator for a new one.');
  const before = (ms: number) => new Date(now.getTime() - ms);
  const isGone = sql<boolean>`p.region_no = ${regionNo} AND p.probe_id <> ${probeId}
    AND p.last_seen_at < CASE p.admission WHEN 'waiting' THEN ${before(GAVE_UP_AFTER_MS)}::timestamptz
      ELSE ${before(FORGOTTEN_AFTER_MS)}::timestamptz END`;
  await noteLastContact(tx, isGone);
  await sql`DELETE FROM probes p WHERE ${isGone}`.execute(tx);
  const { rows } = await sql<{ used: number; waiting: number }>`
    SELECT count(*) FILTER (WHERE token_id = ${tokenId} AND admission <> 'waiting')::int AS used,
      count(*) FILTER (WHERE admission = 'waiting')::int AS waiting
    FROM probes WHERE region_no = ${regionNo}`.execute(tx);
  const { used = 0, waiting = 0 } = rows[0] ?? {};
  const hasRoom = token.max_probes === null || used < token.max_probes;
  const known = await tx
    .selectFrom('probes')
    .select(['admission', 'token_id'])
    .where('region_no', '=', regionNo)
    .where('probe_id', '=', probeId)
    .forUpdate()
    .executeTakeFirst();
  if (known) {
    // A name whose token was revoked may come back with another one; a name whose token is valid, only if there is
    // room.
    const isAnothers = known.token_id !== null && known.token_id !== tokenId;
    if (isAnothers && !hasRoom) return 'waiting';
    const admission = known.admission === 'waiting' && hasRoom ? 'admitted' : (known.admission as Admission);
    await tx
      .updateTable('probes')
      .set({ token_id: tokenId, admission, last_seen_at: now })
      .where('region_no', '=', regionNo)
      .where('probe_id', '=', probeId)
      .execute();
    return admission;
  }
  if (!hasRoom && waiting >= MAX_WAITING)
    return refuse('forbidden', `${MAX_WAITING} probes already wait to be admitted to this region.`);
  const admission = hasRoom ? 'admitted' : 'waiting';
  await tx
    .insertInto('probes')
    .values({
      region_no: regionNo,
      probe_id: probeId,
      token_id: tokenId,
      admission,
      first_seen_at: now,
      last_seen_at: now,
    })
    .execute();
  return admission;
}

/** The operator admits a probe, or refuses it: its next request is then refused, and the others get its share. */
export async function setAdmission(
  work: Work,
  slug: string,
  probeId: string,
  admission: 'admitted' | 'refused',
): Promise<void> {
  const { tx } = work;
  const region = await findRegion(tx, slug);
  const probe = await tx
    .selectFrom('probes')
    .select('admission')
    .where('region_no', '=', region.no)
    .where('probe_id', '=', probeId)
    .forUpdate()
    .executeTakeFirst();
  if (!probe) notFound('probe');
  if (probe.admission === admission) return;
  await noteLastContact(tx, sql`p.region_no = ${region.no} AND p.probe_id = ${probeId}`);
  await tx
    .updateTable('probes')
    .set({ admission, asked_at: null, awaited_since: null })
    .where('region_no', '=', region.no)
    .where('probe_id', '=', probeId)
    .execute();
  await wakeProbes(tx, region.no);
  await recordActivity(work, {
    orgId: null,
    action: admission === 'admitted' ? 'probe.admit' : 'probe.refuse',
    resource: { kind: 'probe', id: probeId, name: slug },
    before: { admission: probe.admission },
    after: { admission },
  });
}

/** Forgets a probe and frees its name on the token. If it still calls, it counts as a new probe. */
export async function removeProbe(work: Work, slug: string, probeId: string): Promise<void> {
  const { tx } = work;
  const region = await findRegion(tx, slug);
  await noteLastContact(tx, sql`p.region_no = ${region.no} AND p.probe_id = ${probeId}`);
  const gone = await tx
    .deleteFrom('probes')
    .where('region_no', '=', region.no)
    .where('probe_id', '=', probeId)
    .returning('admission')
    .executeTakeFirst();
  if (!gone) notFound('probe');
  await wakeProbes(tx, region.no);
  await recordActivity(work, {
    orgId: null,
    action: 'probe.remove',
    resource: { kind: 'probe', id: probeId, name: slug },
    before: { admission: gone.admission },
  });
}

/** Keeps with their region when those of these probes `p` that are admitted were last in contact, before they no longer are. */
const noteLastContact = (tx: Tx, those: RawBuilder<boolean>) =>
  sql`UPDATE regions r SET probe_seen_at = greatest(r.probe_seen_at, gone.at)
    FROM (SELECT p.region_no, max(p.last_seen_at) AS at FROM probes p WHERE ${those} AND p.admission = 'admitted' GROUP BY p.region_no) gone
    WHERE r.no = gone.region_no`.execute(tx);
