// What a monitor of type `database` accepts beyond its schema (docs/rules/monitor-types.md#database).
import { queryProblem } from '#src/domain/reading-query.ts';
import { completed } from '../completed.ts';
import { checkDegradedAfter } from '../latency.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { DatabaseConfig, databaseDestination } from './config.ts';

export const database: TypeRules<DatabaseConfig> = {
  type: 'database',
  schema: DatabaseConfig,
  complete: completed(DatabaseConfig),
  destination: databaseDestination,
  secrets: (config) => (typeof config.password === 'string' ? [['password']] : []),
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    if (config.port !== null) context.port(config.port, 'config.port');
  },
  check(config) {
    checkDegradedAfter(config);
    if (config.engine === 'redis' && config.database !== null && !/^\d{1,5}$/.test(config.database))
      invalidConfig('config.database', 'must be a number with redis, such as 0');
    const problem = config.query === null ? null : queryProblem(config.engine, config.query);
    if (problem !== null) invalidConfig('config.query', problem);
  },
};
