// The inputs from which the uptime of a monitor is computed: reported time from the roll-ups and from the checks since, maintenance, and
// confirmed outages, each as it stands now (docs/rules/figures.md#uptime).
import { CompiledQuery } from 'kysely';
import { knownGroupTime, knownTime, type ReportingRule, type Run } from '../domain/reported-time.ts';
import type { Span } from '../domain/spans.ts';
import type { History } from '../domain/uptime.ts';
import type { Database, Tx } from '../platform/work.ts';
import { ENDLESS_WINDOW_MS } from './reported.ts';

/** No window is longer: three days and the longest timeout. */
const LONGEST_WINDOW = "interval '4 days'";

const MS = (instant: string) => `(extract(epoch FROM ${instant}) * 1000)::float8`;

/** Rows of a source, by the index: a join over all would read those of every monitor of the installation. */
const REPORTED = (where: string) => `
  CROSS JOIN LATERAL (SELECT k.* FROM reported_times k WHERE k.monitor_no = s.no AND ${where} OFFSET 0) k`;

/** Checks that are not rolled up yet, which are never packed. */
const CHECKS = (from: string, until: string) => `
  CROSS JOIN regions g CROSS JOIN LATERAL (
    SELECT c.checked_at FROM checks c WHERE c.monitor_no = s.no AND c.region_no = g.no
      AND c.checked_at >= greatest(r.since, ${from}) AND c.checked_at < least(r.until, ${until})
      AND c.cause_layer IS DISTINCT FROM 'probe') c`;

const OLD_CHECKS = (from: string, until: string) => `
  CROSS JOIN regions g
  CROSS JOIN LATERAL stored_speech(s.no, g.no, greatest(r.since, ${from}), least(r.until, ${until}), r.speaks) AS said (time)`;

/**
 * Rows `kind` (rule, run, maintenance, downtime, member), `no` (of the monitor, or of one that its group is made of), `from_ms`,
 * `until_ms`, `window_ms`, `enabled`; times without an end are null. A `member` row has as `from_ms` the number of the group that
 * names it; groups are in groups.
 * $1 the numbers of the monitors, $2 and $3 the range.
 */
const HISTORY = `
  WITH RECURSIVE named (parent, no, org_id, type, members) AS (
    SELECT NULL::int, no, org_id, type, CASE WHEN type = 'group' THEN config -> 'members' END FROM monitors WHERE no = ANY($1::int[])
    UNION
    SELECT n.no, m.no, m.org_id, m.type, CASE WHEN m.type = 'group' THEN m.config -> 'members' END
    FROM named n CROSS JOIN jsonb_array_elements_text(n.members) AS member JOIN monitors m ON m.id = member AND m.org_id = n.org_id
  ), rules AS MATERIALIZED (
    SELECT r.monitor_no, r.since, coalesce(r.until, 'infinity') AS until, r.window_ms, r.enabled,
      make_interval(secs => coalesce(r.window_ms, ${ENDLESS_WINDOW_MS}) / 1000.0) AS speaks,
      CASE WHEN r.window_ms IS NULL THEN '-infinity' ELSE $2::timestamptz - ${LONGEST_WINDOW} END AS read_from
    FROM reporting_rules r WHERE r.monitor_no IN (SELECT no FROM named)
  ), sources AS (SELECT DISTINCT no FROM named WHERE type <> 'group'),
  rolled AS MATERIALIZED (SELECT rolled_until AS at FROM rollup_state),
  spoken AS (
    SELECT k.monitor_no, k.rule_since, unnest(k.times) AS time FROM sources s ${REPORTED(`
      k.bucket >= $2::timestamptz - ${LONGEST_WINDOW} AND k.bucket < $3::timestamptz`)}
    UNION ALL
    SELECT r.monitor_no, r.since, unnest(k.times) FROM sources s JOIN rules r ON r.monitor_no = s.no AND r.window_ms IS NULL
    ${REPORTED('k.rule_since = r.since AND k.bucket < $3::timestamptz ORDER BY k.bucket LIMIT 1')}
    UNION ALL
    SELECT s.no, r.since, tstzrange(c.checked_at, c.checked_at + r.speaks)
    FROM rolled o CROSS JOIN sources s JOIN rules r ON r.monitor_no = s.no
    ${CHECKS('greatest(r.read_from, o.at)', '$3::timestamptz')}
    UNION ALL
    SELECT s.no, r.since, said.time
    FROM rolled o CROSS JOIN sources s JOIN rules r ON r.monitor_no = s.no JOIN rollup_dirty d ON d.monitor_no = s.no
    ${OLD_CHECKS('greatest(r.read_from, d.since)', 'least(d.until, o.at, $3::timestamptz)')}
  ), runs AS (
    SELECT p.monitor_no, lower(t) AS first, upper(t) - r.speaks AS last FROM (
      SELECT monitor_no, rule_since, range_agg(time) AS times FROM spoken GROUP BY 1, 2
    ) p JOIN rules r ON r.monitor_no = p.monitor_no AND r.since = p.rule_since, unnest(p.times) AS t
  )
  SELECT 'rule' AS kind, monitor_no AS no, ${MS('since')} AS from_ms, CASE WHEN until < 'infinity' THEN ${MS('until')} END AS until_ms,
    window_ms, enabled FROM rules
  UNION ALL SELECT 'run', monitor_no, ${MS('first')}, ${MS('last')}, NULL, NULL FROM runs
  UNION ALL SELECT 'maintenance', monitor_no, ${MS('starts_at')}, ${MS('ends_at')}, NULL, NULL FROM maintenance_monitors
    WHERE monitor_no = ANY($1::int[]) AND ends_at > $2::timestamptz AND starts_at < $3::timestamptz
  UNION ALL SELECT 'downtime', monitor_no, ${MS('started_at')}, ${MS('resolved_at')}, NULL, NULL FROM incidents
    WHERE monitor_no = ANY($1::int[]) AND origin = 'automatic' AND NOT discarded AND started_at < $3::timestamptz
      AND (resolved_at IS NULL OR resolved_at > $2::timestamptz)
  UNION ALL SELECT 'member', no, parent, NULL, NULL, NULL FROM named WHERE parent IS NOT NULL
  ORDER BY kind, no, from_ms`;

type Row = {
  kind: 'rule' | 'run' | 'maintenance' | 'downtime' | 'member';
  no: number;
  from_ms: number;
  until_ms: number | null;
  window_ms: number | null;
  enabled: boolean | null;
};

/** Runs a statement: of the server's pool, or of the snapshot of an export. */
export type Ask = (text: string, values: readonly unknown[]) => Promise<Row[]>;

export const asking =
  (db: Database | Tx): Ask =>
  async (text, values) =>
    (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows;

/** The history of the monitor with this number in [from, to), as far as its uptime needs it. */
export async function readHistory(ask: Ask, no: number, from: Date, to: Date): Promise<History> {
  const histories = await readHistories(ask, [no], from, to);
  return histories.get(no) ?? { known: [], maintenance: [], downtime: [] };
}

/** The histories of many monitors, by their numbers, with one statement. */
export async function readHistories(
  ask: Ask,
  nos: readonly number[],
  from: Date,
  to: Date,
): Promise<Map<number, History>> {
  const rows = await ask(HISTORY, [nos, from, to]);
  const byKind = Map.groupBy(rows, (row) => row.kind);
  const grouped = (kind: Row['kind']) => Map.groupBy(byKind.get(kind) ?? [], (row) => row.no);
  const [rules, runs, maintenance, downtime] = [
    grouped('rule'),
    grouped('run'),
    grouped('maintenance'),
    grouped('downtime'),
  ];
  const membersOf = Map.groupBy(byKind.get('member') ?? [], (row) => row.from_ms);
  const spansOf = (of: Map<number, Row[]>, no: number): Span[] => (of.get(no) ?? []).map(span);
  const rulesOf = (no: number): ReportingRule[] =>
    (rules.get(no) ?? []).map((row) => ({
      ...span(row),
      windowMs: row.window_ms,
      enabled: row.enabled ?? false,
    }));
  const runsOf = (no: number): Run[] =>
    spansOf(runs, no).map(({ fromMs, untilMs }) => ({ firstMs: fromMs, lastMs: untilMs }));
  const known = new Map<number, Span[]>();
  const knownOf = (no: number): Span[] => {
    const found = known.get(no);
    if (found) return found;
    const members = membersOf.get(no);
    const spans = members
      ? knownGroupTime(
          rulesOf(no),
          members.flatMap((each) => knownOf(each.no)),
        )
      : knownTime(rulesOf(no), runsOf(no));
    known.set(no, spans);
    return spans;
  };
  const historyOf = (no: number): History => ({
    known: knownOf(no),
    maintenance: spansOf(maintenance, no),
    downtime: spansOf(downtime, no),
  });
  return new Map(nos.map((no) => [no, historyOf(no)]));
}

const span = ({ from_ms, until_ms }: Row): Span => ({
  fromMs: from_ms,
  untilMs: until_ms ?? Number.POSITIVE_INFINITY,
});
