// Browser-safe. Config of type `database` (docs/rules/monitor-types.md#database).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { destination, hostOf } from '../destination.ts';
import { config, DegradedAfter, Host, IpFamilyChoice, Port, Timeout } from '../parts.ts';

export const DatabaseConfig = config({
  engine: Type.Enum(['postgres', 'mysql', 'redis']),
  host: Host,
  /** null: the default port of the engine. */
  port: Nullable(Port),
  username: Nullable(Type.String({ maxLength: 256 })),
  password: Nullable(Type.String({ maxLength: 4096 })),
  /** Name of the database, for redis its number; null: the server's default. */
  database: Nullable(Type.String({ maxLength: 256 })),
  tls: Type.Boolean({ default: false }),
  /** A SQL statement or a redis command that must succeed after signing in; null: a ping. */
  query: Nullable(Type.String({ minLength: 1, maxLength: 4096 })),
  timeout_ms: Timeout(10000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type DatabaseConfig = Static<typeof DatabaseConfig>;

export const DATABASE_PORTS = { postgres: 5432, mysql: 3306, redis: 6379 } as const;

export function databaseDestination(config: Readonly<Record<string, unknown>>): string {
  const { engine, port, tls } = config as Partial<DatabaseConfig>;
  return destination(engine, hostOf(config), port ?? DATABASE_PORTS[engine as never], tls ?? false);
}
