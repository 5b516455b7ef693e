// The failure capsule of an incident as the API shows it.
import { sql } from 'kysely';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { CAPSULE_WITHIN_MS } from '../regions/sharing.ts';
import type { Capsule, CapsuleState, IncidentCapsule } from './contract.ts';
import { capsuleContext } from './hand-out.ts';

type Row = {
  capsule_id: string;
  region: string;
  asked_at: Date;
  skipped: boolean;
  arrived_at: Date | null;
  capsule_sealed: string | null;
};

/**
 * The capsules of an incident and their progress, by region. `maySee` false: the capsule is null, as before the first one
 * arrives.
 */
export async function capsuleOf(
  db: Database,
  vault: Vault,
  incidentId: string,
  { maySee, now }: { maySee: boolean; now: Date },
): Promise<{ capsule: IncidentCapsule | null; capsule_regions: CapsuleState[] }> {
  const { rows } = await sql<Row>`
    SELECT c.capsule_id, r.slug AS region, c.asked_at, c.skipped, c.arrived_at, c.capsule_sealed
    FROM incident_capsules c JOIN regions r ON r.no = c.region_no
    WHERE c.incident_id = ${incidentId} ORDER BY r.slug`.execute(db);
  const regions = rows.flatMap(({ capsule_id, region, arrived_at, capsule_sealed }) => {
    if (!maySee || arrived_at === null || capsule_sealed === null) return [];
    const capsule = opened(vault, capsule_sealed, capsule_id);
    return capsule === null ? [] : [{ region, gathered_at_unix: unix(arrived_at), ...capsule }];
  });
  return {
    capsule: regions.length === 0 ? null : { regions },
    capsule_regions: rows.map((row) => stateOf(row, now)),
  };
}

function stateOf({ region, asked_at, skipped, arrived_at }: Row, now: Date): CapsuleState {
  if (arrived_at !== null) return { region, state: 'arrived', why: null };
  if (skipped) return { region, state: 'none', why: 'too_many' };
  if (now.getTime() - asked_at.getTime() >= CAPSULE_WITHIN_MS)
    return { region, state: 'none', why: 'no_answer' };
  return { region, state: 'gathering', why: null };
}

/** null for a capsule sealed under a key that is gone. */
function opened(vault: Vault, sealed: string, id: string): Capsule | null {
  try {
    return JSON.parse(vault.open(sealed, capsuleContext(id))) as Capsule;
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}
