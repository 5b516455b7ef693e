import type { Check } from '#probe/check-outcome.ts';
import { queryProblem } from '#src/domain/reading-query.ts';
import type { DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { runCheck } from '../run-check.ts';
import type { Engine } from './session.ts';

/** Each engine brings a client library, so it is loaded with its first check. */
const ENGINES: Readonly<Record<DatabaseConfig['engine'], () => Promise<Engine>>> = {
  postgres: () => import('./postgres.ts').then((engine) => engine.postgres),
  mysql: () => import('./mysql.ts').then((engine) => engine.mysql),
  redis: () => import('./redis.ts').then((engine) => engine.redis),
};

/**
 * Checks a database server: signs in and runs the query, or a ping without one; any error is a failure. With `tls` the
 * certificate is verified. A query that does more than read is not sent (domain/reading-query.ts); SQL also runs in a
 * transaction that can only read.
 */
export const database: Check<DatabaseConfig> = async (config, context) => {
  const engine = await ENGINES[config.engine]();
  return runCheck(config, context, 'target_app', async (running) => {
    demandReading(config);
    await engine(running, config, performance.now());
  });
};

/** Refuses a query that does more than read. The server does so on write, but this query may be older than that rule. */
function demandReading({ engine, query }: DatabaseConfig): void {
  const problem = query === null ? null : queryProblem(engine, query);
  if (problem !== null) throw new OutboundFailure('invalid_config', 'probe', `config.query ${problem}`);
}
