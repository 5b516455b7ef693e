import type { DatabaseConfig } from '../../src/monitors/config/database.ts';
import type { Kind } from '../observation.ts';
import type { Engine } from './database-session.ts';
import { observe } from './observe.ts';

/** Loaded with the first check of the engine: each brings a client library with it. */
const ENGINES: Readonly<Record<DatabaseConfig['engine'], () => Promise<Engine>>> = {
  postgres: () => import('./database-postgres.ts').then((engine) => engine.postgres),
  mysql: () => import('./database-mysql.ts').then((engine) => engine.mysql),
  redis: () => import('./database-redis.ts').then((engine) => engine.redis),
};

/**
 * Checks a database server (decisions, section 4, type database): signs in and has the query answered without an error,
 * or a ping where there is none. With `tls` the certificate is verified. A query runs in a transaction that can only
 * read (postgres, mysql); commands that write are refused (redis).
 */
export const database: Kind<DatabaseConfig> = async (config, context) => {
  const engine = await ENGINES[config.engine]();
  return observe(config, context, 'target_app', (attempt) => engine(attempt, config, performance.now()));
};
