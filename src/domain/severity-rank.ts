// How serious an incident is. A severity level set by people comes before the severity of its monitor.

/** 1 is the worst. */
export type SeverityRank = 1 | 2 | 3;

const RANKS: Readonly<Record<string, SeverityRank>> = {
  sev1: 1,
  critical: 1,
  sev2: 2,
  default: 2,
  sev3: 3,
  degraded: 3,
};

/** The rank of a severity or of a severity level. */
export const rankOf = (name: string): SeverityRank => RANKS[name] ?? 2;

export const severityRankOf = (incident: { severity: string; severity_level: string | null }): SeverityRank =>
  rankOf(incident.severity_level ?? incident.severity);

/** The worst of these; without any, that of an incident whose severity nobody has set. */
export const worstOf = (ranks: readonly SeverityRank[]): SeverityRank =>
  ranks.length === 0 ? 2 : (Math.min(...ranks) as SeverityRank);
