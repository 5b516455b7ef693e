// `npm run simulate -- [--monitors N] [--days D] [--worlds W] [--seed S]`: scripted worlds through the real ingest, each
// compared with its script; the journey of the same name plays one small world in every `npm test`.
import { parseArgs } from 'node:util';
import { startTestApp } from './harness/app.ts';
import { startTestCluster } from './harness/cluster.ts';
import { CLUSTER_VARIABLE } from './harness/database.ts';
import { play } from './simulation/run.ts';
import { script } from './simulation/world.ts';

const HELP = `Usage: npm run simulate -- [--monitors N] [--days D] [--worlds W] [--seed S]

Plays scripted worlds (outages, flapping, lost packets, regions cut off, late batches, skewed clocks, faulty probes)
through the real ingest on a clock of their own and compares every incident with the script.

  --monitors N  monitors of a world (default 2000)
  --days D      simulated days, also parts of one (default 1)
  --worlds W    worlds, each with the next seed (default 1)
  --seed S      seed of the first world (default 1)
`;

const { values } = parseArgs({
  options: {
    monitors: { type: 'string', default: '2000' },
    days: { type: 'string', default: '1' },
    worlds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
const [monitors, days, worlds, seed] = [values.monitors, values.days, values.worlds, values.seed].map(
  Number,
) as [number, number, number, number];
if (values.help || ![monitors, worlds, seed].every(Number.isInteger) || !(days >= 0.15) || monitors < 1) {
  process.stdout.write(HELP);
  process.exitCode = values.help ? 0 : 2;
} else {
  const cluster = await startTestCluster();
  process.env[CLUSTER_VARIABLE] = cluster.url;
  try {
    for (let world = seed; world < seed + worlds; world++) await run(world);
  } finally {
    await cluster.stop();
  }
}

async function run(world: number): Promise<void> {
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
  if (outcome.wrong.length > 0) process.exitCode = 1;
}
