// Gathers what an opening incident has to show: the newest checks of every region, as they are stored now.
import { sql } from 'kysely';
import type { Opened } from '../domain/confirmation.ts';
import { buildEvidence, type Evidence, incidentWords, type LatestCheck } from '../domain/evidence.ts';
import { groupEvidence } from '../domain/group.ts';
import { kindOf } from '../monitors/row.ts';
import { maskConfig } from '../monitors/sealing.ts';
import type { Work } from '../platform/work.ts';
import { membersOf, ruleOf } from './group-members.ts';
import { checkId } from './records.ts';
import { STATUS_OF } from './store.ts';
import type { LoadedSubject } from './subjects.ts';

type Row = {
  region_no: number;
  slug: string;
  at_ms: number;
  status: number;
  latency_ms: number | null;
  response_code: number | null;
  failure_class: string | null;
  cause_layer: string | null;
  detail: string | null;
};

/** Of each region, as many checks as a region needs to become failing, and at least three. */
const LEAST_CHECKS = 3;
const MOST_CHECKS = 10;
/** Characters of a check's detail; the check itself shows it whole. */
const MOST_DETAIL = 1024;

/** Evidence and words of an incident that opens now, by this verdict. */
export async function evidenceOf(
  work: Work,
  subject: LoadedSubject,
  verdict: Opened,
): Promise<{ evidence: Evidence; cause: string; summary: string }> {
  const each = Math.min(MOST_CHECKS, Math.max(LEAST_CHECKS, verdict.consecutiveFailuresRequired));
  const until = new Date(Math.max(verdict.triggeredAtMs, verdict.startedAtMs));
  const since = new Date(verdict.firstFailureAtMs - 86_400_000);
  const { rows } = await sql<Row>`
    SELECT c.region_no, r.slug, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status, c.latency_ms,
      c.response_code, c.failure_class, c.cause_layer, left(c.detail, ${MOST_DETAIL}) AS detail
    FROM regions r CROSS JOIN LATERAL (
      SELECT * FROM checks WHERE monitor_no = ${subject.no} AND region_no = r.no
        AND checked_at <= ${until} AND checked_at > ${since} AND cause_layer IS DISTINCT FROM 'probe'
      ORDER BY checked_at DESC LIMIT ${each}
    ) c
    WHERE r.slug = ANY(${[...subject.subject.regions]}::text[])`.execute(work.tx);
  const checks: LatestCheck[] = rows.map((row) => ({
    check_id: checkId(subject.no, row.region_no, row.at_ms),
    checked_at_unix: Math.floor(row.at_ms / 1000),
    region: row.slug,
    status: STATUS_OF[row.status] ?? 'down',
    cause_layer: row.cause_layer,
    detail: row.detail,
    latency_ms: row.latency_ms,
    response_code: row.response_code,
    failure_class: row.failure_class,
  }));
  const input = {
    verdict,
    monitor: {
      id: subject.id,
      name: subject.name,
      type: subject.type,
      config: maskConfig(kindOf(subject.type), subject.config),
    },
    project: { id: subject.projectId, name: subject.projectName },
    checks,
  };
  const evidence = buildEvidence(input);
  if (subject.type !== 'group') return { evidence, ...incidentWords(input) };
  return groupEvidence(evidence, ruleOf(subject), await membersOf(work, subject), verdict);
}
