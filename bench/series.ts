// Charts of 90 days with a year of data in the tables, through HTTP, beside a request for the monitor alone and the same
// question asked of hourly buckets.
import pg from 'pg';
import { count, ms, quantile, type RunBench, times } from './figure.ts';
import { fillings, fillOpenSpan, fillReported, fillTier, makeRegions } from './filled-year.ts';
import { cpuByPart } from './processes.ts';
import { sendRequests } from './requests.ts';
import { type Made, startSubject } from './subject.ts';

const RANGES = ['1d', '7d', '30d'] as const;
const IN_FLIGHT = 4;
const POINTS = 180 * 3;

/** The cost without half days: 90 days of hours, into the same points. */
const OF_HOURS = `
  SELECT date_bin('12 hours', bucket, 'epoch') AS at, region_no, sum(up), sum(down), sum(degraded), sum(latency_sum),
    sum(latency_count), max(latency_max)
  FROM check_buckets_1h WHERE monitor_no = $1 AND bucket >= now() - interval '90 days' GROUP BY 1, 2`;

export const series: RunBench = async (context) => {
  const seconds = context.quick ? 2 : 10;
  const howMany = context.quick ? 50 : context.large ? 10_000 : 1_000;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const regions = await makeRegions(subject);
  const monitors = await subject.addMonitors(howMany, (i) => ({
    config: { url: `http://127.0.0.1:9/${i}` },
    enabled: false,
    interval_seconds: 60,
  }));
  const year = { monitors, regions };
  for (const filling of fillings(context.large ? 31 : 91)) await fillTier(context, subject, year, filling);
  await fillReported(context, subject);
  await vacuum(subject.databaseUrl, context.say);
  await fillOpenSpan(subject, year);

  // In random order: one answer's reads help the next as little as in production.
  const shuffled = monitors.toSorted((a, b) => ((a.no * 7919) % 10_007) - ((b.no * 7919) % 10_007));
  const headers = { cookie: subject.admin.cookie() };
  const ask = (path: (monitor: Made) => string, inFlight = 1, forSeconds = seconds) =>
    sendRequests(context, {
      url: subject.url,
      requests: shuffled.map((monitor) => ({ method: 'GET', path: path(monitor), headers })),
      inFlight,
      seconds: forSeconds,
      status: 200,
    });
  const rangeOf = (range: string) => (monitor: Made) => `/monitors/${monitor.id}/series?range=${range}`;

  const sample = await subject.admin.ok<{ points: unknown[] }>('GET', rangeOf('90d')(monitors[0]!));
  if (sample.points.length < POINTS) throw new Error(`the chart has ${sample.points.length} points`);
  context.say('the first of each: nothing is in memory');
  const first = await ask(rangeOf('90d'), 1, seconds);
  context.say('90 days, one at a time and together');
  const before = cpuByPart(subject.processes());
  const one = await ask(rangeOf('90d'));
  const after = cpuByPart(subject.processes());
  const together = await ask(rangeOf('90d'), IN_FLIGHT);
  const others = new Map<string, Awaited<ReturnType<typeof ask>>>();
  for (const range of RANGES) others.set(range, await ask(rangeOf(range), 1, seconds / 2));
  context.say('beside it: the monitor alone, and hours');
  const alone = await ask((monitor) => `/monitors/${monitor.id}`);
  const hours = context.large ? null : await askHours(subject.databaseUrl, shuffled, seconds);

  const three = (tookMs: readonly number[]) =>
    [0.5, 0.95, 0.99].map((q) => ms(quantile(tookMs, q))).join(', ');
  const ratio = (tookMs: readonly number[], beside: readonly number[]) =>
    times(quantile(tookMs, 0.95), quantile(beside, 0.95));
  const cpu = (part: 'server' | 'database') => ((after[part] - before[part]) / one.answered) * 1000;
  return {
    rows: [
      {
        figure: `90 days of one of ${count(howMany)} monitors, one at a time: p50, p95, p99`,
        tocsin: three(one.tookMs),
        beside: `${three(alone.tookMs)} the monitor alone`,
        ratio: ratio(one.tookMs, alone.tookMs),
      },
      { figure: 'the same right after the tables were filled', tocsin: three(first.tookMs) },
      {
        figure: `the same, ${IN_FLIGHT} in flight`,
        tocsin: three(together.tookMs),
        ...(hours && {
          beside: `${three(hours)} points alone of hours, one at a time, SQL`,
          ratio: ratio(one.tookMs, hours),
        }),
      },
      ...[...others].map(([range, done]) => ({
        figure: `${range}: p50, p95, p99`,
        tocsin: three(done.tookMs),
      })),
      {
        figure: 'CPU a 90-day answer, server, database',
        tocsin: `${ms(cpu('server'))}, ${ms(cpu('database'))}`,
      },
    ],
    notes: [
      `A year of half days, ${context.large ? 31 : 91} days of hours and 2 days of 10 minutes from 3 regions, in the real tables; checks once a minute since the last span that is rolled up. ${(one.bytes / one.answered / 1024).toFixed(0)} KiB of JSON an answer of 90 days.`,
      'Every request asks for another monitor. The ratio is of the 95th percentiles; session and role are looked up for each, also for the monitor alone.',
    ],
  };
};

/** The tables as hours of autovacuum would leave them. */
async function vacuum(url: string, say: (line: string) => void): Promise<void> {
  say('vacuum');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

async function askHours(url: string, monitors: readonly Made[], seconds: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tookMs: number[] = [];
  try {
    const endsAtMs = performance.now() + seconds * 1000;
    for (let i = 0; performance.now() < endsAtMs; i++) {
      const sentAtMs = performance.now();
      const values = [monitors[i % monitors.length]!.no];
      await client.query({ name: 'hours', text: OF_HOURS, values });
      tookMs.push(performance.now() - sentAtMs);
    }
  } finally {
    await client.end();
  }
  return tookMs;
}
