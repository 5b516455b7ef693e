// Which probes share a region's work (decisions, section 9): those that ask for assignments under a name. One that has not
// asked for a while, nor waits, is taken for dead, and the others take over.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';
import { type CallingProbe, silenceEnds } from './liveness.ts';
import { wakeProbes } from './wake.ts';

/**
 * After this time without a sign a probe has no share any more. A host that dies without a word leaves its request hanging
 * for the 8 s that a probe asks to wait; with those, and the seconds until the others look again, it is under 30 s.
 */
export const SHARING_MS = 15_000;

/** A probe that nobody has heard of for so long is forgotten when another one comes. */
const FORGOTTEN_AFTER_MS = 30 * 86_400_000;

/** What waiting probes of a region look at, and what they are answered with. */
export type RegionNow = {
  revision: number;
  allowPrivateTargets: boolean;
  canaries: string[];
  /** Ids of the probes that share the work, sorted. */
  sharing: string[];
  /** Of the database; another one after a restore. */
  incarnation: string;
  /** Whether the token that asks is still one. */
  admitted: boolean;
  /** Whether a check that somebody waits for is to be handed out. */
  testsWaiting: boolean;
};

/** A probe asks for assignments: from now on it shares the work; the others learn it at once. */
export async function takeShare(
  db: Database,
  { regionNo, tokenId }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  const { rows } = await sql<{ joins: boolean }>`
    WITH known AS (SELECT asked_at FROM probes WHERE region_no = ${regionNo} AND probe_id = ${probeId}),
      used AS (UPDATE probe_tokens SET last_used_at = ${now} WHERE id = ${tokenId}), ${silenceEnds(now)}
    INSERT INTO probes (region_no, probe_id, first_seen_at, last_seen_at, asked_at)
    VALUES (${regionNo}, ${probeId}, ${now}, ${now}, ${now})
    ON CONFLICT (region_no, probe_id) DO UPDATE
      SET last_seen_at = greatest(probes.last_seen_at, excluded.last_seen_at), asked_at = excluded.asked_at
    RETURNING coalesce((SELECT asked_at FROM known) <= ${sharingSince(now)}, true) AS joins`.execute(db);
  if (!rows[0]?.joins) return;
  await sql`DELETE FROM probes WHERE region_no = ${regionNo}
    AND last_seen_at < ${new Date(now.getTime() - FORGOTTEN_AFTER_MS)}`.execute(db);
  await wakeProbes(db, regionNo);
}

/** A waiting request is a sign of life, but does not bring back a probe that has left. */
export async function keepShare(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  await sql`WITH ${silenceEnds(now)}
    UPDATE probes SET last_seen_at = greatest(last_seen_at, ${now}), asked_at = ${now}
    WHERE region_no = ${regionNo} AND probe_id = ${probeId} AND asked_at IS NOT NULL`.execute(db);
}

/** A probe stops: its share goes to the others at once. Answers whether it had one. */
export async function giveShareBack(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH ${silenceEnds(now)}
    UPDATE probes SET last_seen_at = greatest(last_seen_at, ${now}), asked_at = NULL
    WHERE region_no = ${regionNo} AND probe_id = ${probeId} AND asked_at IS NOT NULL`.execute(db);
  if (!numAffectedRows) return false;
  await wakeProbes(db, regionNo);
  return true;
}

/** One look at a region on behalf of a probe; null where the region is gone. */
export async function lookAt(
  db: Database,
  { regionNo, tokenId }: CallingProbe,
  now: Date,
): Promise<RegionNow | null> {
  const { rows } = await sql<RegionNow>`
    SELECT r.revision, r.allow_private_targets AS "allowPrivateTargets", r.canaries,
      ARRAY(SELECT probe_id FROM probes WHERE region_no = r.no AND asked_at > ${sharingSince(now)}
        ORDER BY probe_id) AS sharing,
      (SELECT incarnation FROM installation) AS incarnation,
      EXISTS (SELECT FROM probe_tokens WHERE id = ${tokenId} AND region_no = r.no) AS admitted,
      EXISTS (SELECT FROM test_runs WHERE region_no = r.no AND claimed_by IS NULL) AS "testsWaiting"
    FROM regions r WHERE r.no = ${regionNo}`.execute(db);
  return rows[0] ?? null;
}

/** Names the database and those who share the work: a probe's share is another one only when this is. */
export function epochOf({ incarnation, sharing }: RegionNow, probeId: string | undefined): string {
  // Whoever takes no share gets everything, whoever else there is.
  const names = probeId === undefined ? [incarnation] : [incarnation, ...sharing];
  return createHash('sha256').update(names.join(' ')).digest('base64url').slice(0, 22);
}

/** The instant after which a probe must have asked to have a share at `now`. */
export const sharingSince = (now: Date) => new Date(now.getTime() - SHARING_MS);
