// The state after a failed round: of the servers, the database and the senders.
import type { Installation } from '#test/harness/installation.ts';
import { ask, type HighlyAvailable } from './cluster.ts';
import type { Load } from './load.ts';

const ACTIVITY = `SELECT application_name AS who, state, wait_event AS waits_for, count(*)::int AS count,
  round(extract(epoch FROM max(clock_timestamp() - state_change))) AS seconds, left(min(query), 60) AS one
  FROM pg_stat_activity WHERE datname = current_database() GROUP BY 1, 2, 3 ORDER BY seconds DESC LIMIT 12`;
const LINES = 15;

export async function standOf(
  cluster: HighlyAvailable,
  servers: readonly Installation[],
  load: Load,
): Promise<string> {
  const readies = await Promise.all(
    servers.map(({ url }) =>
      fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
        (answer) => answer.text(),
        (error: Error) => error.message,
      ),
    ),
  );
  const activity = await ask<object>(cluster.url, ACTIVITY).catch((error: Error) => [error.message]);
  const lastMs = load.acknowledgedAtMs.at(-1);
  return [
    `last acknowledgement ${lastMs === undefined ? 'never' : `${(Date.now() - lastMs) / 1000} s ago`}`,
    `primary: node ${await cluster.primary()}`,
    ...activity.map((row) => JSON.stringify(row)),
    ...servers.flatMap(({ output }, i) => [
      `server ${i + 1}: ${readies[i]}`,
      ...output().trimEnd().split('\n').slice(-LINES),
    ]),
    await cluster.logs(),
  ].join('\n');
}
