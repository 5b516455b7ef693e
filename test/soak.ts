// `npm run soak -- [rounds]`: the siege of the kill journeys again and again on one installation, server and database by
// turns, until something is lost, doubled or left out, or the rounds are done.
import { parseArgs } from 'node:util';
import { startSiege } from './siege.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const rounds = Number(positionals[0] ?? 10);
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('Say how many rounds: npm run soak -- 20');

await using siege = await startSiege();
for (let round = 1; round <= rounds; round++) {
  const startedAt = performance.now();
  const what = round % 2 === 1 ? 'server' : 'PostgreSQL';
  await siege.underFire();
  if (what === 'server') {
    await siege.killServer();
    await siege.restart();
  } else {
    await siege.killPostgres();
    await siege.recovered();
  }
  const { acknowledged, repeated } = await siege.assertNothingLost();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(
    `round ${round}: kill -9 of the ${what}; ${acknowledged} results acknowledged, ${repeated} of them sent twice; ` +
      `nothing missing, nothing doubled (${seconds} s)\n`,
  );
}
