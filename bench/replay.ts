// A replay of 30 days of checks from three regions, once a minute: its duration, the peak of the server's memory, and the
// effect on other requests; beside a bare read of the same checks.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { packChecks } from '../src/checks/packed/pack.ts';
import type { PolicyReplay } from '../src/policy-replay/contract.ts';
import { fillDay } from './bytes.ts';
import { type Context, count, ms, quantile, type RunBench, times } from './figure.ts';
import { makeRegions } from './filled-year.ts';
import { memoryOf } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const DAY = 86_400;
const DAYS = 30;
const MEBIBYTE = 2 ** 20;

export const replay: RunBench = async (context) => {
  const days = context.quick ? 3 : DAYS;
  const runs = context.quick ? 2 : 15;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const regions = await makeRegions(subject);
  const [monitor] = await subject.addMonitors(1, () => ({
    config: { url: 'http://127.0.0.1:9/' },
    enabled: false,
    interval_seconds: 60,
    regions: ['local', 'far', 'farther'],
  }));
  if (!monitor) throw new Error('no monitor was made');
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY;
  context.say(`${days} days of checks`);
  for (let day = days; day >= 1; day--)
    await fillDay({ ...context, say: () => undefined }, subject, [monitor], regions, today - day * DAY);
  await sql`UPDATE monitor_state SET not_before = not_before - interval '60 days'`.execute(
    subject.database.db,
  );
  await sql`VACUUM ANALYZE checks`.execute(subject.database.db);

  const asRows = await measure(context, subject, monitor, regions, runs);
  await pack(subject, today);
  const asBlocks = await measure(context, subject, monitor, regions, runs);
  const { answer } = asBlocks;
  return {
    rows: [
      {
        figure: `A replay of ${count(answer.check_count)} checks in blocks, p50`,
        tocsin: ms(quantile(asBlocks.tookMs, 0.5)),
        beside: `${ms(quantile(asBlocks.bareMs, 0.5))} to read them alone`,
        ratio: times(quantile(asBlocks.tookMs, 0.5), quantile(asBlocks.bareMs, 0.5)),
      },
      {
        figure: 'the same, in rows',
        tocsin: ms(quantile(asRows.tookMs, 0.5)),
        beside: `${ms(quantile(asRows.bareMs, 0.5))} to read them alone`,
        ratio: times(quantile(asRows.tookMs, 0.5), quantile(asRows.bareMs, 0.5)),
      },
      {
        figure: 'Memory of the server at its peak',
        tocsin: `${(asBlocks.peakBytes / MEBIBYTE).toFixed(0)} MiB`,
        beside: `${(asBlocks.beforeBytes / MEBIBYTE).toFixed(0)} MiB before`,
        ratio: times(asBlocks.peakBytes, asBlocks.beforeBytes),
      },
      {
        figure: 'Another request meanwhile, p50, p99',
        tocsin: `${ms(quantile(asBlocks.otherMs, 0.5))}, ${ms(quantile(asBlocks.otherMs, 0.99))}`,
        beside: `${ms(quantile(asBlocks.aloneMs, 0.5))}, ${ms(quantile(asBlocks.aloneMs, 0.99))} alone`,
        ratio: times(quantile(asBlocks.otherMs, 0.5), quantile(asBlocks.aloneMs, 0.5)),
      },
    ],
    notes: [
      `One monitor from three regions, once a minute for ${days} days, as in \`bytes\`; ${count(answer.now.alarm_count)} alarms with the policy in force, ${count(answer.draft.alarm_count)} with the one that is tried.`,
      'Alone: the database counts the same checks, a day at a time, in one statement each. The other request reads a monitor, one at a time.',
    ],
  };
};

type Measured = {
  tookMs: number[];
  bareMs: number[];
  otherMs: number[];
  aloneMs: number[];
  beforeBytes: number;
  peakBytes: number;
  answer: PolicyReplay;
};

async function measure(
  context: Context,
  subject: Subject,
  monitor: Made,
  regions: readonly number[],
  runs: number,
): Promise<Measured> {
  const ask = () =>
    subject.admin.ok<PolicyReplay>('POST', `/monitors/${monitor.id}/policy-replay`, {
      policy: { alarm_consecutive: 1, alarm_quorum_mode: 'any' },
    });
  const other = () => subject.admin.ok('GET', `/monitors/${monitor.id}`);
  context.say('replays');
  let answer = await ask();
  const aloneMs: number[] = [];
  for (let i = 0; i < 20 * runs; i++) aloneMs.push(await took(other));
  const memory = () => memoryOf(subject.processes().server).rssBytes;
  const beforeBytes = memory();
  let peakBytes = beforeBytes;
  const tookMs: number[] = [];
  const bareMs: number[] = [];
  const otherMs: number[] = [];
  for (let run = 0; run < runs; run++) {
    context.signal.throwIfAborted();
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        otherMs.push(await took(other));
        peakBytes = Math.max(peakBytes, memory());
        await sleep(5);
      }
    })();
    tookMs.push(
      await took(async () => {
        answer = await ask();
      }),
    );
    isOver = true;
    await watching;
    bareMs.push(await took(() => readAlone(subject, monitor, regions, answer)));
  }
  return { tookMs, bareMs, otherMs, aloneMs, beforeBytes, peakBytes, answer };
}

async function took(act: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return performance.now() - startedAtMs;
}

async function readAlone(
  { database: { db } }: Subject,
  { no }: Made,
  regions: readonly number[],
  { from_unix, until_unix }: PolicyReplay,
): Promise<void> {
  for (let at = Math.floor(from_unix / DAY) * DAY; at < until_unix; at += DAY)
    await sql`SELECT count(c.status) FROM unnest(${`{${regions.join(',')}}`}::smallint[]) AS r (no)
      CROSS JOIN LATERAL stored_results(${no}, r.no, to_timestamp(${at}::bigint), to_timestamp(${at + DAY}::bigint)) c`.execute(
      db,
    );
}

/** All past days. */
async function pack({ database: { db } }: Subject, today: number): Promise<void> {
  const until = new Date(today * 1000);
  await sql`UPDATE packing_state SET begins_at = '-infinity'`.execute(db);
  await sql`UPDATE rollup_state SET closed_until = ${until}, rolled_until = ${until}`.execute(db);
  await sql`DELETE FROM rollup_dirty`.execute(db);
  for (;;) {
    await packChecks(db, new Date((today + 26 * 3600) * 1000));
    const { rows } = await sql<{ done: boolean }>`
      SELECT packed_until >= ${until} AS done FROM packing_state`.execute(db);
    if (rows[0]?.done) return;
  }
}
