// Routes outside the API (docs/rules/command-line.md#served-beside): health, metrics, the OpenAPI document, its reference,
// the dashboard.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { OPERATIONS } from '../operations.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import type { DatabasePool } from '../platform/db/pool.ts';
import { missingMigrations } from '../platform/db/schema.ts';
import { isFromThisMachine } from '../platform/http/from-this-machine.ts';
import { openApiDocument } from '../platform/http/openapi.ts';
import { Refusal } from '../platform/refusals.ts';
import { sameSecret } from '../platform/secrets.ts';
import { metricsText } from './metrics/scrape.ts';
import { remembered } from './remembered.ts';

export type SystemRoutesOptions = {
  database: DatabasePool;
  baseUrl: string;
  version: string;
  dashboardDir: string | null;
  metricsToken: string | null;
  jobsHealthy: () => boolean;
  disk: Pick<DiskGuard, 'resultsPaused' | 'pausedForMs' | 'freeBytes'>;
  clock: () => Date;
};

/** How old what `/readyz` says of the database may be. */
const READY_MS = 1_000;

const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

export async function serveSystemRoutes(http: FastifyInstance, options: SystemRoutesOptions): Promise<void> {
  const { database: pool, baseUrl, version, dashboardDir, metricsToken, jobsHealthy, disk, clock } = options;
  const { db } = pool;

  http.get('/healthz', () => ({ ok: true, version }));

  // Every open dashboard asks, and so may anybody: the database hears of it once a second.
  const schemaSeen = remembered(READY_MS, clock, () => missingMigrations(db).catch(() => null));
  http.get('/readyz', async (_request, reply) => {
    const schema = await schemaSeen();
    const database = schema !== null;
    const migrations = schema?.missing.length === 0;
    const jobs = jobsHealthy();
    // A server that refuses results is still ready: taking it out of service would stop pings and alarms too.
    const results = !disk.resultsPaused();
    const pausedForMs = disk.pausedForMs();
    // For the dashboard too, which shows since when nothing is recorded.
    const since = pausedForMs === null ? null : Math.floor((clock().getTime() - pausedForMs) / 1000);
    const ok = database && migrations && jobs;
    const reason = ok ? null : notReady(schema?.missing ?? null);
    return reply
      .status(ok ? 200 : 503)
      .send({ ok, database, migrations, jobs, reason, results, results_paused_since_unix: since });
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
    const { text, contentType } = await metricsText({ database: pool, disk, now: clock(), version });
    return reply.type(contentType).send(text);
  });

  let document: string | null = null;
  http.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(OPERATIONS, baseUrl));
    return reply.type('application/json').send(document);
  });

  await serveReference(http);
  if (dashboardDir) await serveDashboard(http, dashboardDir);
}

/** Why a server is not ready, as a sentence; `missing` migrations are null where the database does not answer. */
function notReady(missing: readonly string[] | null): string {
  if (missing === null) return 'The database does not answer.';
  const [first] = missing;
  if (first !== undefined)
    return `The database lacks ${missing.length} of the migrations of this version, the first is ${first}. Stop the servers, run tocsin migrate, and start them.`;
  return 'The workers of stored jobs are not running; they are started again every second.';
}

const REFERENCE_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tocsin API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;
const REFERENCE_START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, defaultModelsExpandDepth: 0 });\n`;

/**
 * The browsable reference at /docs, from files installed with Tocsin: nothing is loaded from elsewhere. The files come with
 * Fastify's own plugin, because swagger-ui's packages depend on one that reports every installation.
 */
async function serveReference(http: FastifyInstance): Promise<void> {
  const root = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');
  await http.register(fastifyStatic, {
    root,
    prefix: '/docs/assets/',
    decorateReply: false,
    allowedPath: (path) => /^\/swagger-ui(-bundle)?\.(css|js)$/.test(path),
  });
  http.get('/docs', (_request, reply) =>
    reply.header('content-security-policy', PAGE_POLICY).type('text/html').send(REFERENCE_PAGE),
  );
  http.get('/docs/', (_request, reply) => reply.redirect('/docs'));
  http.get('/docs/start.js', (_request, reply) => reply.type('text/javascript').send(REFERENCE_START));
}

/** The dashboard under /app: files by their hashed names, every other path its index page. */
async function serveDashboard(http: FastifyInstance, dir: string): Promise<void> {
  const index = readFileSync(join(dir, 'index.html'), 'utf8');
  await http.register(fastifyStatic, {
    root: join(dir, 'assets'),
    prefix: '/app/assets/',
    decorateReply: false,
    immutable: true,
    maxAge: '365d',
    // A worker runs under the policy it is served with; this one listens to the live stream.
    setHeaders: (reply, path) => {
      if (/[\\/]worker-[^\\/]+\.js$/.test(path)) reply.header('content-security-policy', PAGE_POLICY);
    },
  });
  // Beside the pages that it serves, so that its scope is all of them. Revalidated each time, because its name has no hash.
  const worker = join(dir, 'push-worker.js');
  if (existsSync(worker)) {
    const source = readFileSync(worker, 'utf8');
    http.get('/app/push-worker.js', (_request, reply) =>
      reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'no-cache')
        .type('text/javascript')
        .send(source),
    );
  }
  const page = async (
    _request: unknown,
    reply: {
      header: (name: string, value: string) => typeof reply;
      type: (type: string) => typeof reply;
      send: (body: string) => unknown;
    },
  ) =>
    reply
      .header('content-security-policy', PAGE_POLICY)
      .header('cache-control', 'no-cache')
      .type('text/html')
      .send(index);
  http.get('/app', page);
  http.get('/app/*', page);
  http.get('/', (_request, reply) => reply.redirect('/app'));
}
