// `npm run soak -- --database-away SECONDS`: three real probes spool while the server has no database for so long.
// `npm run soak -- [rounds]`: the fire of the kill journeys again and again on one installation, server and database by
// turns, until something is lost, doubled or left out, or the rounds are done.
import { parseArgs } from 'node:util';
import { startUnderFire } from './under-fire.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'database-away': { type: 'string' }, help: { type: 'boolean', short: 'h' } },
});
if (values.help) {
  process.stdout.write(`Usage: npm run soak -- [ROUNDS]
       npm run soak -- --database-away SECONDS

Kills server and PostgreSQL by turns under load, ROUNDS times (default 10), and verifies after each kill that nothing is lost
or doubled. With --database-away, three real probes spool while the server has no database for so many seconds; then it
verifies that everything arrives.
`);
  process.exit(0);
}
const rounds = Number(positionals[0] ?? 10);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('Say how many rounds: npm run soak -- 20');
const awaySeconds = Number(values['database-away'] ?? 0);
if (!Number.isInteger(awaySeconds) || awaySeconds < 0)
  throw new Error('Say for how many seconds: npm run soak -- --database-away 300');

if (awaySeconds > 0) {
  const { test } = await import('node:test');
  const { databaseAway } = await import('./partition.ts');
  await test(`the database away for ${awaySeconds} s`, async (t) => {
    const { results } = await databaseAway(t, awaySeconds);
    t.diagnostic(`${results} results of that time arrived; nothing missing, no incident`);
  });
} else await killAgainAndAgain();

async function killAgainAndAgain(): Promise<void> {
  await using scene = await startUnderFire();
  for (let round = 1; round <= rounds; round++) {
    const startedAt = performance.now();
    const what = round % 2 === 1 ? 'server' : 'PostgreSQL';
    await scene.underFire();
    if (what === 'server') {
      await scene.killServer();
      await scene.restart();
    } else {
      await scene.killPostgres();
      await scene.recovered();
    }
    const { acknowledged, repeated } = await scene.assertNothingLost();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(
      `round ${round}: kill -9 of the ${what}; ${acknowledged} results acknowledged, ${repeated} of them sent twice; ` +
        `nothing missing, nothing doubled (${seconds} s)\n`,
    );
  }
}
