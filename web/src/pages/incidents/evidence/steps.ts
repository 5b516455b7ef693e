// Turns the evidence into a story: who saw what, and why that met the policy. Pure.
import type { Evidence, IncidentDetail } from '#src/incidents/contract.ts';

export type EvidenceStep =
  | { kind: 'first'; atUnix: number; region: string; detail: string | null }
  | { kind: 'also'; atUnix: number; region: string; detail: string | null }
  | { kind: 'confirmed'; atUnix: number }
  | { kind: 'opened'; atUnix: number; reason: string }
  | { kind: 'resolved'; atUnix: number; byItself: boolean };

/** The steps of an incident in chronological order. */
export function evidenceSteps(evidence: Evidence, incident: IncidentDetail): EvidenceStep[] {
  const beats: EvidenceStep[] = [];
  const failing = evidence.checks
    .filter((check) => check.status === 'down')
    .sort((a, b) => a.checked_at_unix - b.checked_at_unix);
  const seen = new Set<string>();
  for (const check of failing) {
    if (seen.has(check.region)) continue;
    const beat = { atUnix: check.checked_at_unix, region: check.region, detail: check.detail };
    beats.push(seen.size === 0 ? { kind: 'first', ...beat } : { kind: 'also', ...beat });
    seen.add(check.region);
  }
  const first = beats[0];
  // The evidence holds the deciding checks; the very first failure can be older.
  if (first !== undefined) first.atUnix = Math.min(first.atUnix, evidence.first_failure_at_unix);
  beats.push({ kind: 'confirmed', atUnix: evidence.confirmed_outage_since_unix });
  beats.push({ kind: 'opened', atUnix: evidence.triggered_at_unix, reason: evidence.reason });
  if (incident.resolved_at_unix !== null) {
    beats.push({ kind: 'resolved', atUnix: incident.resolved_at_unix, byItself: incident.auto_resolved });
  }
  const rank = ['first', 'also', 'confirmed', 'opened', 'resolved'];
  return beats.sort((a, b) => a.atUnix - b.atUnix || rank.indexOf(a.kind) - rank.indexOf(b.kind));
}
