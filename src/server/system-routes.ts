// Routes of every server, whatever its roles (docs/rules/command-line.md#served-beside): health and metrics.
import type { FastifyInstance } from 'fastify';
import type { ServerRole } from '#src/domain/names.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import type { DatabasePool } from '../platform/db/pool.ts';
import type { Replica } from '../platform/db/replica/replica.ts';
import { readSchemaSeen, type SchemaSeen } from '../platform/db/schema.ts';
import { isFromThisMachine } from '../platform/http/from-this-machine.ts';
import { Refusal } from '../platform/refusals.ts';
import { sameSecret } from '../platform/secrets.ts';
import { metricsText } from './metrics/scrape.ts';
import { remembered } from './remembered.ts';

export type SystemRoutesOptions = {
  database: DatabasePool;
  version: string;
  roles: readonly ServerRole[];
  metricsToken: string | null;
  /** null: stored jobs are run elsewhere. */
  jobsHealthy: (() => boolean) | null;
  disk: Pick<DiskGuard, 'resultsPaused' | 'pausedForMs' | 'freeBytes'>;
  /** null: everything is read from the one database. */
  replica: Pick<Replica, 'state' | 'lagSeconds'> | null;
  clock: () => Date;
};

/** How old what `/readyz` says of the database may be. */
const READY_MS = 1_000;

export function serveSystemRoutes(http: FastifyInstance, options: SystemRoutesOptions): void {
  const { database: pool, version, roles, metricsToken, jobsHealthy, disk, replica, clock } = options;
  const { db } = pool;

  http.get('/healthz', () => ({ ok: true, version }));

  // A server of nothing but status pages shows the last ones: without it nobody would be shown any.
  const needsDatabase = roles.some((role) => role !== 'pages');
  // Every open dashboard asks, and so may anybody: the database hears of it once a second.
  const schemaSeen = remembered(READY_MS, clock, () => readSchemaSeen(db).catch(() => null));
  http.get('/readyz', async (_request, reply) => {
    const schema = await schemaSeen();
    const database = schema !== null;
    const migrations = schema?.missing.length === 0 && schema.contracted === null;
    const jobs = jobsHealthy === null ? null : jobsHealthy();
    // A server that refuses results is still ready: taking it out of service would stop pings and alarms too.
    const results = !disk.resultsPaused();
    const pausedForMs = disk.pausedForMs();
    // For the dashboard too, which shows since when nothing is recorded.
    const since = pausedForMs === null ? null : Math.floor((clock().getTime() - pausedForMs) / 1000);
    const ok = schema === null ? !needsDatabase : migrations && jobs !== false;
    const reason = ok ? null : notReady(schema);
    return reply.status(ok ? 200 : 503).send({
      ...{ ok, roles, database, migrations, jobs, reason, results, results_paused_since_unix: since },
      // Without it the primary is read from: a server is as ready as before.
      replica: replica?.state() ?? null,
    });
  });

  http.get('/metrics', async (request, reply) => {
    if (metricsToken === null && !isFromThisMachine(request))
      throw new Refusal(
        'unauthenticated',
        'Without METRICS_TOKEN the metrics are for this machine alone: set it, and send it as a Bearer credential.',
      );
    const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (metricsToken !== null && !sameSecret(given, metricsToken))
      throw new Refusal('unauthenticated', 'Send the METRICS_TOKEN as a Bearer credential.');
    const { text, contentType } = await metricsText({ database: pool, disk, replica, now: clock(), version });
    return reply.type(contentType).send(text);
  });
}

/** Why a server is not ready, as a sentence; `schema` is null where the database does not answer. */
function notReady(schema: SchemaSeen | null): string {
  if (schema === null) return 'The database does not answer.';
  const { missing, contracted } = schema;
  const [first] = missing;
  if (first !== undefined)
    return `The database lacks ${missing.length} of the migrations of this version; the first is ${first}. Stop the servers, run tocsin migrate, and start them.`;
  if (contracted !== null)
    return `A newer version of Tocsin has migrated the database, and ${contracted} takes away what this version reads. Replace this server by that version.`;
  return 'The workers of stored jobs are not running; they are started again every second.';
}
