// Hands capsule requests to one probe of the region, and accepts one answer from that probe.
import { sql } from 'kysely';
import { publishIncident } from '../events/publish.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database, Work } from '../platform/work.ts';
import { keepsPrivateResponses } from '../regions/private-responses.ts';
import { capsulesSince } from '../regions/sharing.ts';
import { type Capsule, withheldCapsule } from './contract.ts';

const HANDED_AT_A_TIME = 10;
const MAX_SCANNED = 200;

export const capsuleContext = (id: string) => `failure capsule ${id}`;

export type CapsuleRequest = { capsule_id: string; monitor_id: string };

/** Claims waiting requests for monitors that the probe checks, since it has their configs already. */
export async function claimCapsules(
  db: Database,
  { regionNo }: { regionNo: number },
  probeId: string,
  isMine: (monitorId: string) => boolean,
  now: Date,
): Promise<CapsuleRequest[]> {
  const { rows: waiting } = await sql<CapsuleRequest>`
    SELECT capsule_id, monitor_id FROM incident_capsules
    WHERE region_no = ${regionNo} AND claimed_by IS NULL AND NOT skipped AND asked_at > ${capsulesSince(now)}
    ORDER BY asked_at LIMIT ${MAX_SCANNED}`.execute(db);
  const mine = waiting.filter(({ monitor_id }) => isMine(monitor_id)).slice(0, HANDED_AT_A_TIME);
  if (mine.length === 0) return [];
  const { rows } = await sql<CapsuleRequest>`
    UPDATE incident_capsules SET claimed_by = ${probeId}
    WHERE capsule_id = ANY(${mine.map(({ capsule_id }) => capsule_id)}::text[]) AND claimed_by IS NULL
    RETURNING capsule_id, monitor_id`.execute(db);
  return rows;
}

type Stored = {
  incident_id: string;
  org_id: string;
  monitor_id: string;
  monitor_name: string | null;
  project_id: string | null;
  status: string;
  lifecycle_state: string;
  severity: string;
  cause: string;
  example: boolean;
};

/** Stores a probe's capsule; false if it was not asked, has already answered, or is too late. */
export async function storeCapsule(
  work: Work,
  vault: Vault,
  { regionNo }: { regionNo: number },
  given: { probe_id: string; capsule_id: string; capsule: Capsule },
): Promise<boolean> {
  const { tx, now } = work;
  const { probe_id, capsule_id, capsule } = given;
  const { rows: regions } = await sql<{ keeps: boolean }>`
    SELECT ${keepsPrivateResponses} AS keeps FROM regions r WHERE r.no = ${regionNo}`.execute(tx);
  // The probe may not know yet that this region no longer keeps them.
  const kept = capsule.private && !regions[0]?.keeps ? withheldCapsule(capsule) : capsule;
  const sealed = vault.seal(JSON.stringify(kept), capsuleContext(capsule_id));
  const { rows } = await sql<Stored>`
    UPDATE incident_capsules c SET capsule_sealed = ${sealed}, arrived_at = ${now}
    FROM incidents i LEFT JOIN monitors m ON m.no = i.monitor_no
    WHERE c.capsule_id = ${capsule_id} AND c.region_no = ${regionNo} AND c.claimed_by = ${probe_id}
      AND c.arrived_at IS NULL AND c.asked_at > ${capsulesSince(now)} AND i.id = c.incident_id
    RETURNING c.incident_id, c.org_id, c.monitor_id, m.name AS monitor_name, i.project_id, i.status, i.severity, i.cause, i.example,
      CASE WHEN i.discarded THEN 'discarded' WHEN i.status = 'closed' THEN 'resolved'
        WHEN i.acknowledged_at IS NULL THEN 'triggered' ELSE 'acknowledged' END AS lifecycle_state`.execute(
    tx,
  );
  for (const { org_id, ...incident } of rows)
    publishIncident(work, org_id, { ...incident, change: 'looked_up' });
  return rows.length > 0;
}
