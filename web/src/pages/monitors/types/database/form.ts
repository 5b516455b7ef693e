// The form of the `database` type.
import { DATABASE_PORTS, DatabaseConfig, databaseDestination } from '#src/monitors/types/database/config.ts';
import { type Amount, orEmpty, orNull, textOrNull } from '#web/pages/monitors/form/amounts.ts';
import { hostProblem, optionalPortProblem } from '#web/pages/monitors/form/checks.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type DatabaseValues = Timing &
  IpFamily & {
    engine: DatabaseConfig['engine'];
    host: string;
    port: Amount;
    username: string;
    password: string;
    database: string;
    tls: boolean;
    query: string;
  };

/** The default port. */
export const usualDatabasePort = ({ engine }: DatabaseValues): number => DATABASE_PORTS[engine];

export const form = typeForm<DatabaseValues, DatabaseConfig>({
  type: 'database',
  schema: DatabaseConfig,
  start: { engine: 'postgres', host: '' },
  read: (config) => ({
    engine: config.engine,
    host: config.host,
    port: orEmpty(config.port),
    username: orEmpty(config.username),
    password: orEmpty(config.password),
    database: orEmpty(config.database),
    tls: config.tls,
    query: orEmpty(config.query),
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => ({
    engine: values.engine,
    host: values.host.trim(),
    port: orNull(values.port),
    username: textOrNull(values.username),
    password: orNull(values.password),
    database: textOrNull(values.database),
    tls: values.tls,
    query: textOrNull(values.query),
    ip_family: values.ip_family,
    ...writeTiming(values),
  }),
  destination: databaseDestination,
  problems: (values) => ({
    host: hostProblem(values.host),
    port: optionalPortProblem(values.port),
    database:
      values.engine === 'redis' && !/^\s*\d*\s*$/.test(values.database)
        ? { key: 'problems.redisDatabase' }
        : null,
    ...timingProblems(values),
  }),
  sections: [
    {
      id: 'query',
      fields: ['query'],
      title: (t) => t('fields.database.query'),
      summary: (t, _formats, { query }) =>
        query.trim() === '' ? t('fields.database.noQuery') : query.trim().replace(/\s+/g, ' ').slice(0, 60),
    },
    timingSection(DatabaseConfig),
  ],
});
