// How serious an incident is. A severity level set by people comes before the severity of its monitor.

/** 1 is the worst. */
export type SeverityRank = 1 | 2 | 3;

export function severityRankOf(incident: { severity: string; severity_level: string | null }): SeverityRank {
  const { severity, severity_level } = incident;
  if (severity_level !== null) return ({ sev1: 1, sev2: 2, sev3: 3 } as const)[severity_level] ?? 2;
  return ({ critical: 1, default: 2, degraded: 3 } as const)[severity] ?? 2;
}
