// The rules of type `database` that its schema cannot state (docs/rules/monitor-types.md#database).
import { queryProblem } from '#src/domain/reading-query.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { DatabaseConfig, databaseDestination } from './config.ts';

export const database: TypeRules<DatabaseConfig> = {
  type: 'database',
  schema: DatabaseConfig,
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
