import type { Check } from '#probe/check-outcome.ts';
import { queryProblem } from '#src/domain/reading-query.ts';
import type { DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { runCheck } from '../run-check.ts';
import type { Engine } from './session.ts';

/** Loaded with the first check of the engine: each brings a client library with it. */
const ENGINES: Readonly<Record<DatabaseConfig['engine'], () => Promise<Engine>>> = {
  postgres: () => import('./postgres.ts').then((engine) => engine.postgres),
  mysql: () => import('./mysql.ts').then((engine) => engine.mysql),
  redis: () => import('./redis.ts').then((engine) => engine.redis),
};

/**
 * Checks a database server: signs in and has the query answered without an error, or a ping where there is none. With
 * `tls` the certificate is verified. A query that does more than read is not sent (domain/reading-query.ts); SQL also runs
 * in a transaction that can only read.
 */
export const database: Check<DatabaseConfig> = async (config, context) => {
  const engine = await ENGINES[config.engine]();
  return runCheck(config, context, 'target_app', async (running) => {
    demandReading(config);
    await engine(running, config, performance.now());
  });
};

/** The server has refused it when it was written, unless it is older than what is refused now. */
function demandReading({ engine, query }: DatabaseConfig): void {
  const problem = query === null ? null : queryProblem(engine, query);
  if (problem !== null) throw new OutboundFailure('invalid_config', 'probe', `config.query ${problem}`);
}
