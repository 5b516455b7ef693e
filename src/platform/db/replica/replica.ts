// The replica behind DATABASE_READ_URL, as this process knows it: checked twice a second, together with the primary.
import { Freshness } from '#src/domain/freshness.ts';
import type { Log } from '#src/platform/log.ts';
import type { Database } from '#src/platform/work.ts';
import { askingAsSystem } from '../asker.ts';
import { openPool } from '../pool.ts';
import {
  REPLICA_PROBLEM_SENTENCES,
  REPLICA_SEEN,
  type ReplicaProblem,
  type ReplicaSeen,
  replicaProblem,
  seePrimary,
  seeReplica,
} from './identity.ts';
import type { ReplicaState, Watched } from './reads.ts';

export type Replica = Watched & {
  /** How far behind it may be, in seconds; null: unknown. */
  lagSeconds: () => number | null;
  /** Checks both now; does not throw. For tests and for the loop. */
  query: () => Promise<void>;
  stop: () => Promise<void>;
};

export type ReplicaOptions = {
  url: string;
  primary: Database;
  log: Log;
  maxLagMs: number;
  /** The machine's monotonic time in milliseconds. */
  elapsedMs: () => number;
  /** False: a test looks itself. */
  timers?: boolean;
};

const EVERY_MS = 500;
/** A replica that does not answer for this long is away. */
const SILENT_MS = 1_000;
/** How long a replica that is away is left alone. */
const PAUSE_MS = 2_000;
/** A timer this late means that this process was held up. */
const LATE_MS = 250;
/** A statement that takes longer on the replica than this runs on the primary, which then still has time for it. */
const LIMITS = { statementMs: 4_000, connectMs: 2_000 };

/**
 * Opens connections to the replica and checks it, until stopped. Throws a sentence for the operator if it answers and has
 * another database than the primary. A server that is away, or is no replica, is not used until it is one.
 */
export async function startReplica(options: ReplicaOptions): Promise<Replica> {
  const { url, primary, log, maxLagMs, elapsedMs, timers = true } = options;
  const freshness = new Freshness();
  let known: ReplicaSeen | null = null;
  let problem: ReplicaProblem | null = null;
  let away = true;
  let said: ReplicaState | null = null;
  let querying: Promise<void> | null = null;
  let askedAtMs: number | null = null;
  let restUntilMs = Number.NEGATIVE_INFINITY;

  // One server only, because the replay position is the one of that server.
  const demandKnown = async (ask: (statement: string) => Promise<ReplicaSeen | undefined>) => {
    const seen = await ask(REPLICA_SEEN);
    const isOther = known === null ? askedAtMs === null : seen?.started !== known.started;
    if (isOther) throw new Error('DATABASE_READ_URL leads to several servers, or its server was restarted');
  };
  const pool = openPool({ url, log, name: 'tocsin reads', limits: LIMITS, verify: demandKnown });

  function state(): ReplicaState {
    if (away) return 'away';
    if (problem !== null) return problem;
    const asOfMs = freshness.asOfMs();
    return asOfMs === null || elapsedMs() - asOfMs > maxLagMs ? 'behind' : 'in_use';
  }

  function report(reason?: string): void {
    const now = state();
    if (now === said) return;
    const lag = { lag_seconds: lagSeconds() };
    if (now === 'in_use') log.info(lag, 'charts, lists and pages are read from the replica');
    else if (now === 'behind') log.warn(lag, 'the replica is too far behind; its reads go to the primary');
    else if (now === 'away')
      log.warn({ reason }, 'the replica does not answer; its reads go to the primary until it does');
    else log.error(REPLICA_PROBLEM_SENTENCES[now]);
    said = now;
  }

  /** Queries that wait for it fail now and run on the primary; the next check connects anew, perhaps to another server. */
  function leave(): void {
    known = null;
    freshness.forgetReplica();
    restUntilMs = elapsedMs() + PAUSE_MS;
    pool.gate.close();
    pool.gate.open();
  }

  function lost(error: Error): void {
    away = true;
    leave();
    report(error.message);
  }

  async function queryBoth(): Promise<void> {
    const beganMs = elapsedMs();
    const there = await seePrimary(primary).catch(() => null);
    if (there) freshness.primaryWas({ askedAtMs: beganMs, lsn: there.lsn, timeline: there.timeline });
    try {
      askedAtMs = performance.now();
      const seen = await seeReplica(pool.db);
      known = seen;
      away = false;
      // Without the primary, the last findings still hold.
      problem = seen.standby && there === null ? problem : replicaProblem(seen, there);
      if (seen.lsn !== null) freshness.replayed(seen.lsn);
      if (problem !== null) leave();
      report();
    } catch (error) {
      lost(error as Error);
    } finally {
      askedAtMs = null;
    }
  }

  function query(): Promise<void> {
    querying ??= askingAsSystem(queryBoth).finally(() => {
      querying = null;
    });
    return querying;
  }

  const lagSeconds = () => {
    const asOfMs = freshness.asOfMs();
    return asOfMs === null ? null : Math.max(0, elapsedMs() - asOfMs) / 1000;
  };

  await query();
  if (problem === 'other_database') {
    await pool.close();
    throw new Error(REPLICA_PROBLEM_SENTENCES.other_database);
  }
  let dueMs = performance.now() + EVERY_MS;
  const timer = timers ? setInterval(tick, EVERY_MS) : undefined;

  function tick(): void {
    const nowMs = performance.now();
    const isLate = nowMs - dueMs > LATE_MS;
    dueMs = nowMs + EVERY_MS;
    const silentMs = askedAtMs === null ? 0 : nowMs - Math.max(askedAtMs, pool.gate.lastDataMs());
    if (!isLate && silentMs >= SILENT_MS) lost(new Error('it says nothing'));
    if (elapsedMs() >= restUntilMs) void query();
    report();
  }

  return {
    db: pool.db,
    state,
    asOfMs: () => freshness.asOfMs(),
    lost,
    lagSeconds,
    query,
    async stop() {
      clearInterval(timer);
      // A connection that hangs never closes in order.
      pool.gate.close();
      await querying;
      await pool.close();
    },
  };
}
