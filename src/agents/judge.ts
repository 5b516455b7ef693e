// The parts of the heartbeat statement that derive checks for the agent's monitors (docs/rules/monitor-types.md#agent,
// docs/rules/monitor-types.md#service). A failing check gives the reason in its detail.
import { sql } from 'kysely';
import { OF_MOUNT, READING_NAMES } from '../domain/agent.ts';
import { AgentConfig } from '../monitors/types/agent/config.ts';
import { defaultOf } from '../monitors/types/defaults.ts';
import { ServiceConfig } from '../monitors/types/service/config.ts';

const DEGRADED = sql.lit(1);
const DOWN = sql.lit(2);
const WINDOW = sql.lit(defaultOf(AgentConfig, 'window_seconds'));
const EXPECT = sql.lit(defaultOf(ServiceConfig, 'expect'));

/**
 * Enabled monitors on the agent of `locked`, with their settings. `calm`: the monitor has nothing but passing results to
 * remember.
 */
export const WATCHED = sql`
  SELECT m.no, s.calm, m.type, m.config ->> 'metric' AS metric, m.config ->> 'op' AS op,
    (m.config ->> 'threshold')::float8 AS threshold, (m.config ->> 'degraded_threshold')::float8 AS degraded,
    make_interval(secs => coalesce((m.config ->> 'window_seconds')::float8, ${WINDOW})) AS window_length,
    m.config ->> 'kind' AS kind, m.config ->> 'service' AS service,
    coalesce(m.config ->> 'expect', ${EXPECT}) = 'running' AS runs,
    (m.config ->> 'max_cpu_pct')::float8 AS max_cpu, (m.config ->> 'max_mem_mb')::float8 AS max_mem
  FROM locked l
  JOIN monitors m ON m.config ->> 'agent_id' = l.id AND m.type IN ('agent', 'service') AND m.org_id = l.org_id
    AND m.enabled
  JOIN monitor_state s ON s.monitor_no = m.no`;

/** The value in a row of readings that the monitor in a row of `watched` (`w`) watches. */
const readingOf = (row: 'r' | 'k') =>
  sql`CASE w.metric ${sql.join(
    READING_NAMES.map((name) => sql`WHEN ${sql.lit(name)} THEN ${sql.ref(`${row}.${name}`)}`),
    sql` `,
  )} ELSE (${sql.ref(`${row}.disks`)} ->> substr(w.metric, ${sql.lit(OF_MOUNT.length + 1)}))::float8 END`;

const beyond = (threshold: 'threshold' | 'degraded') => {
  const limit = sql.ref(`w.${threshold}`);
  return sql`CASE w.op WHEN 'gt' THEN v.value > ${limit} WHEN 'gte' THEN v.value >= ${limit}
    WHEN 'lt' THEN v.value < ${limit} ELSE v.value <= ${limit} END`;
};

/**
 * The mean over the window that ends with each new heartbeat (`kept`): once per metric and window, however many monitors use
 * it. A heartbeat without the reading has no mean.
 */
export const AVERAGED = sql`
  SELECT w.metric, w.window_length, k.at, k.at_ms, avg(${readingOf('r')}) AS value
  FROM (SELECT DISTINCT metric, window_length FROM watched WHERE type = 'agent' AND metric <> 'online') w
  CROSS JOIN kept k JOIN recent r ON r.at > k.at - w.window_length AND r.at <= k.at
  WHERE ${readingOf('k')} IS NOT NULL GROUP BY w.metric, w.window_length, k.at, k.at_ms`;

const METRICS = sql`
  SELECT w.no, w.calm, v.at, v.at_ms, j.status, v.value AS metric, NULL::float8 AS metric_2,
    CASE WHEN j.status > 0 THEN 'agent_threshold' END AS class,
    CASE WHEN j.status > 0 THEN w.metric || ' averaged ' || round(v.value::numeric, 2)::float8 || ' over '
      || extract(epoch FROM w.window_length)::int || ' s; the limit is ' || CASE w.op WHEN 'gt' THEN 'above'
      WHEN 'gte' THEN 'at least' WHEN 'lt' THEN 'below' ELSE 'at most' END || ' '
      || CASE j.status WHEN ${DOWN} THEN w.threshold ELSE w.degraded END END AS detail
  FROM watched w JOIN averaged v ON v.metric = w.metric AND v.window_length = w.window_length
  CROSS JOIN LATERAL (
    SELECT CASE WHEN ${beyond('threshold')} THEN ${DOWN} WHEN w.degraded IS NOT NULL AND ${beyond('degraded')}
      THEN ${DEGRADED} ELSE 0 END AS status
  ) j
  WHERE w.type = 'agent'`;

/** An agent that does not mention the service does not watch it yet. */
const SERVICES = sql`
  SELECT w.no, w.calm, k.at, k.at_ms, CASE WHEN c.class IS NULL THEN 0 ELSE ${DOWN} END, s.cpu_pct, s.mem_mb, c.class,
    CASE c.class
      WHEN 'service_stopped' THEN w.service || ' is not running'
      WHEN 'service_running' THEN w.service || ' is running'
      WHEN 'service_cpu' THEN w.service || ' uses ' || round(s.cpu_pct::numeric, 1)::float8 || ' % CPU; the limit is ' || w.max_cpu || ' %'
      WHEN 'service_memory' THEN w.service || ' uses ' || round(s.mem_mb::numeric, 1)::float8 || ' MB; the limit is ' || w.max_mem || ' MB'
    END
  FROM watched w CROSS JOIN kept k
  CROSS JOIN LATERAL (
    SELECT * FROM jsonb_to_recordset(k.services) AS s (kind text, name text, running boolean, cpu_pct float8, mem_mb float8)
    WHERE s.kind = w.kind AND s.name = w.service
  ) s
  CROSS JOIN LATERAL (
    SELECT CASE WHEN w.runs AND NOT s.running THEN 'service_stopped' WHEN NOT w.runs AND s.running THEN 'service_running'
      WHEN w.runs AND s.cpu_pct > w.max_cpu THEN 'service_cpu' WHEN w.runs AND s.mem_mb > w.max_mem THEN 'service_memory'
    END AS class
  ) c
  WHERE w.type = 'service'`;

/** Any post counts, whatever is in it: one passing result at the time the server received it. */
const ONLINE = sql`
  SELECT w.no, w.calm, l.now, l.now_ms, 0, NULL, NULL, NULL, NULL
  FROM watched w CROSS JOIN locked l WHERE w.type = 'agent' AND w.metric = 'online'`;

/** Needs the relations `locked`, `watched`, `kept` and `averaged`. */
export const JUDGED = sql`${METRICS} UNION ALL ${SERVICES} UNION ALL ${ONLINE}`;
