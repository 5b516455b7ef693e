// The probes that share a region's work (docs/rules/regions-and-probes.md#sharing): those that ask for assignments under
// an admitted name and deliver results. A probe that has neither asked nor waited for a while counts as dead, and the
// others take over.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../platform/work.ts';
import { type Admission, admitProbe, type CallingProbe } from './admission.ts';
import { aliveAt, hasStalled, silenceEnds, tokenUsed } from './liveness.ts';
import { keepsPrivateResponses } from './private-responses.ts';
import { wakeProbes } from './wake.ts';

/**
 * After this time without a sign of life a probe loses its share. When a host dies, its request hangs for the 8 s that
 * a probe asks to wait; with those, and the seconds until the others ask again, it stays under 30 s.
 */
export const SHARING_MS = 15_000;

/** The state of a region from which waiting probes are answered. */
export type RegionNow = {
  revision: number;
  allowPrivateTargets: boolean;
  keepPrivateResponses: boolean;
  canaries: string[];
  /** Ids of the admitted probes that ask, sorted; and of those that also deliver results. */
  asking: string[];
  working: string[];
  /** Identifies the database; a restore changes it. */
  incarnation: string;
  /** Whether the probe's token is still valid. */
  isToken: boolean;
  /** Of the probe that asks; null if it has no name, or is no longer known. */
  admission: Admission | null;
  /** Whether a check on demand is waiting. */
  testsWaiting: boolean;
  /** Whether a failure capsule is waiting. */
  capsulesWaiting: boolean;
};

/**
 * A probe asks for assignments: from now on it shares the work; the others learn of it at once. Returns whether it had
 * no share before.
 */
export async function takeShare(
  db: Database,
  caller: CallingProbe,
  probeId: string,
  now: Date,
): Promise<boolean> {
  const { regionNo, tokenId } = caller;
  await admitProbe(db, caller, probeId, now);
  const { rows } = await sql<{ joins: boolean }>`
    WITH known AS (SELECT asked_at FROM probes WHERE region_no = ${regionNo} AND probe_id = ${probeId}),
      ${tokenUsed(tokenId, now)}, ${silenceEnds(now)}
    UPDATE probes SET ${aliveAt(now)}, asked_at = ${now} FROM (SELECT count(*) FROM used) token_first
    WHERE region_no = ${regionNo} AND probe_id = ${probeId}
    RETURNING coalesce((SELECT asked_at FROM known) <= ${sharingSince(now)}, true) AS joins`.execute(db);
  const joins = rows[0]?.joins ?? false;
  if (joins) await wakeProbes(db, regionNo);
  return joins;
}

/** A waiting request is a sign of life, but does not bring back a probe that has left. */
export async function keepShare(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  await sql`WITH ${silenceEnds(now)}
    UPDATE probes SET ${aliveAt(now)}, asked_at = ${now}
    WHERE region_no = ${regionNo} AND probe_id = ${probeId} AND asked_at IS NOT NULL`.execute(db);
}

/** A probe stops: its share goes to the others at once. Returns whether it had one. */
export async function releaseShare(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    WITH ${silenceEnds(now)}
    UPDATE probes SET last_seen_at = greatest(last_seen_at, ${now}), asked_at = NULL, awaited_since = NULL
    WHERE region_no = ${regionNo} AND probe_id = ${probeId} AND asked_at IS NOT NULL`.execute(db);
  if (!numAffectedRows) return false;
  await wakeProbes(db, regionNo);
  return true;
}

/** Reads a region on behalf of a probe; null if the region was deleted. */
export async function readRegionFor(
  db: Database,
  { regionNo, tokenId }: CallingProbe,
  probeId: string | undefined,
  now: Date,
): Promise<RegionNow | null> {
  const asking = sql`SELECT p.probe_id FROM probes p
    WHERE p.region_no = r.no AND p.admission = 'admitted' AND p.asked_at > ${sharingSince(now)}`;
  const { rows } = await sql<RegionNow>`
    SELECT r.revision, r.allow_private_targets AS "allowPrivateTargets", r.canaries,
      ${keepsPrivateResponses} AS "keepPrivateResponses",
      ARRAY(${asking} ORDER BY probe_id) AS asking,
      ARRAY(${asking} AND NOT ${hasStalled} ORDER BY probe_id) AS working,
      (SELECT incarnation FROM installation) AS incarnation,
      EXISTS (SELECT FROM probe_tokens WHERE id = ${tokenId} AND region_no = r.no) AS "isToken",
      (SELECT admission FROM probes WHERE region_no = r.no AND probe_id = ${probeId ?? null}) AS admission,
      EXISTS (SELECT FROM test_runs WHERE region_no = r.no AND claimed_by IS NULL) AS "testsWaiting",
      EXISTS (SELECT FROM incident_capsules c WHERE c.region_no = r.no AND c.claimed_by IS NULL AND NOT c.skipped
        AND c.asked_at > ${capsulesSince(now)}) AS "capsulesWaiting"
    FROM regions r WHERE r.no = ${regionNo}`.execute(db);
  return rows[0] ?? null;
}

/**
 * The probes that share a region's work: those that ask and deliver, or all that ask if none delivers. A stalled probe keeps
 * its own share, which the others check as well, and counts again with its first result.
 */
export function sharersOf(
  { asking, working }: Pick<RegionNow, 'asking' | 'working'>,
  probeId?: string,
): string[] {
  const sharers = working.length > 0 ? working : asking;
  const isAside = probeId !== undefined && asking.includes(probeId) && !sharers.includes(probeId);
  return isAside ? [...sharers, probeId].sort() : sharers;
}

/** Identifies the database and the probes that share the work: a probe's share changes only when this does. */
export function epochOf(seen: RegionNow, probeId: string | undefined): string {
  // A probe without a share sees everything, whatever the other probes are.
  const names = [seen.incarnation, ...(probeId === undefined ? [] : sharersOf(seen, probeId))];
  return createHash('sha256').update(names.join(' ')).digest('base64url').slice(0, 22);
}

/** A probe must have asked after this instant to have a share at `now`. */
export const sharingSince = (now: Date) => new Date(now.getTime() - SHARING_MS);

/** Failure capsules are requested and accepted for this long after an incident opens. */
export const CAPSULE_WITHIN_MS = 120_000;
export const capsulesSince = (now: Date) => new Date(now.getTime() - CAPSULE_WITHIN_MS);
