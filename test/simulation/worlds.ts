// `npm run simulate -- [--monitors N] [--days D] [--worlds W] [--histories H] [--seed S]`: scripted worlds and random histories
// through the real ingest, each compared with what must become of it. `npm test` tells a few of the histories.
import { parseArgs } from 'node:util';
import { startTestApp } from '../harness/app.ts';
import { startTestCluster } from '../harness/cluster.ts';
import { CLUSTER_VARIABLE } from '../harness/database.ts';
import { makeHistory, REGIONS } from './histories.ts';
import { replayAll } from './replays.ts';
import { reportAll } from './report.ts';
import { play } from './run.ts';
import { script } from './world.ts';

/** Histories told at once, on one installation. */
const TOGETHER = 1000;

const HELP = `Usage: npm run simulate -- [--monitors N] [--days D] [--worlds W] [--histories H] [--seed S]

Plays scripted worlds (outages, flapping, lost packets, regions cut off, late batches, skewed clocks, faulty probes)
through the real ingest on a clock of their own and compares every incident with the script. Then tells random
histories, with results that come late, twice or from a probe at fault, and compares each with a recount of it.
Then as many in which nothing comes late, and replays each: it has to come to the incidents that there were.

  --monitors N   monitors of a world (default 2000)
  --days D       simulated days, also parts of one (default 1)
  --worlds W     worlds, each with the next seed (default 1)
  --histories H  histories (default 2000)
  --seed S       seed of the first world and of the first history (default 1)

npm run simulate -- storms --help      alarms and messages, in random order
npm run simulate -- silence --help     what is unknown, in random order
npm run simulate -- heartbeats --help  a job that pings or does not, in random order
npm run simulate -- hosts --help       an agent that reports or does not, in random order
npm run simulate -- maintenance --help windows around outages, in random order
npm run simulate -- cells --help       growth over many installations
npm run simulate -- cost --help        what monitors cost on rented machines
`;

type Size = { monitors: number; days: number; worlds: number; histories: number; seed: number };

/** Plays worlds and reports histories as the words of the command say; returns the exit code. */
export async function simulateWorlds(words: string[]): Promise<number> {
  const { values } = parseArgs({
    args: words,
    options: {
      monitors: { type: 'string', default: '2000' },
      days: { type: 'string', default: '1' },
      worlds: { type: 'string', default: '1' },
      histories: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  const size: Size = {
    monitors: Number(values.monitors),
    days: Number(values.days),
    worlds: Number(values.worlds),
    histories: Number(values.histories),
    seed: Number(values.seed),
  };
  const { monitors, days, worlds, histories, seed } = size;
  if (
    values.help ||
    ![monitors, worlds, histories, seed].every(Number.isInteger) ||
    !(days >= 0.15) ||
    monitors < 1
  ) {
    process.stdout.write(HELP);
    return values.help ? 0 : 2;
  }
  const cluster = await startTestCluster();
  process.env[CLUSTER_VARIABLE] = cluster.url;
  let code = 0;
  try {
    for (let world = seed; world < seed + worlds; world++) code = Math.max(code, await run(world, size));
    for (let first = 0; first < histories; first += TOGETHER)
      code = Math.max(code, await reportSome(seed + first, Math.min(TOGETHER, histories - first)));
    for (let first = 0; first < histories; first += TOGETHER)
      code = Math.max(code, await replaySome(seed + first, Math.min(TOGETHER, histories - first)));
    return code;
  } finally {
    await cluster.stop();
  }
}

async function run(world: number, { monitors, days }: Size): Promise<number> {
  const startedAt = performance.now();
  await using app = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  const outcome = await play(app, script(world, monitors, Math.round(days * 86_400_000)), (share) =>
    process.stderr.write(`\rworld ${world}: ${(share * 100).toFixed(0)} % `),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const years = ((monitors * days) / 365.25).toFixed(2);
  process.stdout.write(
    `\rworld ${world}: ${monitors} monitors, ${days} days (${years} monitor-years), ${outcome.results} results ` +
      `(${outcome.late} late), ${outcome.scriptedOutages} scripted failures; ${outcome.expected} incidents expected, ` +
      `${outcome.found} found, ${outcome.wrong.length} wrong (${seconds.toFixed(0)} s)\n`,
  );
  for (const sentence of outcome.wrong) process.stdout.write(`  ${sentence}\n`);
  return outcome.wrong.length > 0 ? 1 : 0;
}

async function reportSome(first: number, count: number): Promise<number> {
  const startedAt = performance.now();
  await using app = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  for (const region of REGIONS) await app.region(region);
  const some = Array.from({ length: count }, (_, i) => makeHistory(first + i));
  const { results, incidents, wrong } = await reportAll(app, some);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `histories ${first} to ${first + count - 1}: ${results} results, ${incidents} incidents expected, ` +
      `${wrong.length} histories wrong (${seconds.toFixed(0)} s)\n`,
  );
  for (const sentence of wrong) process.stdout.write(`  ${sentence}\n`);
  return wrong.length > 0 ? 1 : 0;
}

async function replaySome(first: number, count: number): Promise<number> {
  const startedAt = performance.now();
  await using app = await startTestApp({ env: { LOCAL_PROBE: 'off' } });
  for (const region of REGIONS) await app.region(region);
  const some = Array.from({ length: count }, (_, i) => makeHistory(first + i, { inTime: true }));
  const { monitors, wrong: recounted } = await reportAll(app, some);
  const { alarms, wrong } = await replayAll(app, monitors);
  const all = [...recounted, ...wrong];
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `replays of histories ${first} to ${first + count - 1}: ${alarms} incidents, ${all.length} wrong (${seconds.toFixed(0)} s)\n`,
  );
  for (const sentence of all) process.stdout.write(`  ${sentence}\n`);
  return all.length > 0 ? 1 : 0;
}
