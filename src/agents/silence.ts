// Looks for agents that have gone silent, and looks again every minute while they are: their `online` monitors fail
// (docs/rules/agents.md#silence). The row has the time of the next look, so that a crash loses nothing and any server can take
// over. The other monitors of a silent agent have no result: one dead host is one alarm.
import { sql } from 'kysely';
import { decideSince, WITHOUT_REGION } from '../checks/decide.ts';
import { lockStates } from '../checks/monitored.ts';
import { type NumberedResult, storeResults } from '../checks/store.ts';
import { HEARTBEAT_SECONDS, SILENT_AFTER_SECONDS } from '../domain/agent.ts';
import { evaluatedAt, evaluatedFrom, MAX_EXCUSED } from '../domain/overdue.ts';
import { utcSecond } from '../domain/utc.ts';
import type { Log } from '../platform/log.ts';
import { bisectFailures, noteSetAside } from '../platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import type { EnsureDays } from '../series/days.ts';

export type SilenceContext = { db: Database; ensureDays: EnsureDays; log: Log };

/** Agents per unit of work. */
const BATCH = 200;
/** Rounds per turn; the next turn continues. */
const MAX_ROUNDS = 10;
const AGAIN_MS = HEARTBEAT_SECONDS * 1000;
const SILENT_AFTER_MS = SILENT_AFTER_SECONDS * 1000;
/** An agent whose look fails must not come first again every second. */
const REST_MS = 60_000;

/** Looks at all agents that are due. */
export async function evaluateSilentAgents(context: SilenceContext, now: Date): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) if ((await evaluateDue(context, now)) === 0) return;
}

async function evaluateDue({ db, ensureDays, log }: SilenceContext, now: Date): Promise<number> {
  const due = await db
    .selectFrom('agent_states')
    .select('agent_no')
    .where('look_at', '<=', now)
    .orderBy('look_at')
    .limit(BATCH)
    .execute();
  if (due.length === 0) return 0;
  await ensureDays([now.getTime(), evaluatedFrom(now.getTime())]);
  const nos = due.map(({ agent_no }) => agent_no);
  const failed = await bisectFailures(nos, (some) =>
    runWork(db, now, SYSTEM, (work) => evaluate(work, some)),
  );
  for (const { item, error } of failed) noteSetAside(log, 'agent', { agent_no: item }, error);
  const aside = failed.map(({ item }) => item);
  if (aside.length > 0)
    await db
      .updateTable('agent_states')
      .set({ look_at: new Date(now.getTime() + REST_MS) })
      .where('agent_no', 'in', aside)
      .execute();
  return due.length;
}

type Silent = {
  agent_no: number;
  last_at: Date;
  look_at: Date;
  silent_since: Date | null;
  /** Enabled `online` monitors on the agent; none if the agent may be offline. */
  monitors: number[];
};

async function evaluate(work: Work, nos: readonly number[]): Promise<void> {
  // Every monitor write locks in this order: states first.
  const { rows: watching } = await sql<{ no: number }>`
    SELECT m.no FROM agents a JOIN monitors m ON m.config ->> 'agent_id' = a.id AND m.type IN ('agent', 'service')
    WHERE a.no = ANY(${nos}::int[]) AND m.enabled AND m.org_id = a.org_id AND m.config ->> 'metric' = 'online'
      AND NOT a.expected_offline`.execute(work.tx);
  const locked = await lockStates(
    work,
    watching.map(({ no }) => no),
  );
  const { rows } = await sql<Silent>`
    SELECT s.agent_no, coalesce(s.last_heartbeat_at, a.enrolled_at) AS last_at, s.look_at, s.silent_since,
      ARRAY(SELECT m.no FROM monitors m WHERE m.config ->> 'agent_id' = a.id AND m.type IN ('agent', 'service')
        AND m.no = ANY(${locked.map(({ no }) => no)}::int[])) AS monitors
    FROM agent_states s JOIN agents a ON a.no = s.agent_no
    WHERE s.agent_no = ANY(${nos}::int[]) AND s.look_at <= ${work.now}
    ORDER BY s.agent_no FOR NO KEY UPDATE OF s`.execute(work.tx);
  if (rows.length === 0) return;
  const evaluations = rows.map((row) => ({
    row,
    atMs: evaluatedAt(row.look_at.getTime(), work.now.getTime()),
  }));
  const results = evaluations.flatMap(({ row, atMs }) =>
    row.monitors.map((no) => silentResult(no, row, atMs)),
  );
  if (results.length > 0) {
    await storeResults(work.tx, WITHOUT_REGION.no, results);
    await decideSince(work, locked, new Map(results.map(({ no, result }) => [no, result.checked_at_ms])));
  }
  await saveEvaluations(work, evaluations);
}

const silentResult = (no: number, { last_at }: Silent, atMs: number): NumberedResult => ({
  no,
  result: {
    checked_at_ms: atMs,
    status: 'down',
    failure_class: 'agent_silent',
    cause_layer: 'agent',
    detail: `no heartbeat since ${utcSecond(last_at.getTime())}`,
  },
});

async function saveEvaluations(
  work: Work,
  evaluations: readonly { row: Silent; atMs: number }[],
): Promise<void> {
  const saved = evaluations.map(({ row, atMs }) => ({
    no: row.agent_no,
    at: new Date(atMs).toISOString(),
    since: row.last_at.toISOString(),
    begins: row.silent_since === null,
    look_at: new Date(atMs + AGAIN_MS).toISOString(),
  }));
  await sql`
    WITH saved AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(saved)}::jsonb)
        AS n (no int, at timestamptz, since timestamptz, begins boolean, look_at timestamptz)
    ), happened AS (
      INSERT INTO agent_events (at, agent_no, kind, detail)
      SELECT at, no, 'silent', to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM saved WHERE begins
      ON CONFLICT DO NOTHING
    )
    UPDATE agent_states s SET silent_since = coalesce(s.silent_since, n.since), look_at = n.look_at
    FROM saved n WHERE s.agent_no = n.no`.execute(work.tx);
}

/** The clock was set back to this moment: agents that it dated later count as heard of now. */
export async function rightAgents({ tx, now }: Work): Promise<void> {
  await sql`
    UPDATE agent_states SET look_at = least(look_at, ${new Date(now.getTime() + SILENT_AFTER_MS)}::timestamptz),
      last_heartbeat_at = least(last_heartbeat_at, ${now}), measured_at = least(measured_at, ${now}),
      silent_since = least(silent_since, ${now}), undecided_from = least(undecided_from, ${now})
    WHERE greatest(last_heartbeat_at, measured_at, silent_since, undecided_from, look_at - ${SILENT_AFTER_MS} * interval '1 millisecond')
      > ${now}`.execute(tx);
}

/** No server could receive heartbeats from `fromMs` to `untilMs`, so no agent counts as silent in that time. */
export async function excuseAgents(
  { tx }: Work,
  { fromMs, untilMs }: { fromMs: number; untilMs: number },
): Promise<void> {
  const anew = new Date(untilMs + SILENT_AFTER_MS);
  // Agents that were silent before get another look, after they have had time to come back.
  const again = new Date(untilMs + AGAIN_MS);
  await sql`
    UPDATE agent_states SET look_at = greatest(look_at, CASE WHEN silent_since IS NULL THEN ${anew}::timestamptz ELSE ${again}::timestamptz END),
      excused = CASE WHEN silent_since IS NULL THEN excused + 1 ELSE excused END
    WHERE look_at > ${new Date(fromMs)}::timestamptz AND (silent_since IS NOT NULL OR excused < ${MAX_EXCUSED})`.execute(
    tx,
  );
}
