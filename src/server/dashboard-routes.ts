// Routes beside the API: the dashboard, the OpenAPI document, its reference.
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { OPERATIONS } from '../operations.ts';
import { openApiDocument } from '../platform/http/openapi.ts';

export type DashboardOptions = {
  baseUrl: string;
  /** Folder of the built dashboard; null: it could not be built. */
  dashboardDir: string | null;
};

const PAGE_POLICY =
  "default-src 'self'; img-src 'self' data:; manifest-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

export async function serveDashboardAndReference(
  http: FastifyInstance,
  { baseUrl, dashboardDir }: DashboardOptions,
): Promise<void> {
  let document: string | null = null;
  http.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(openApiDocument(OPERATIONS, baseUrl));
    return reply.type('application/json').send(document);
  });

  await serveReference(http);
  if (dashboardDir) await serveDashboard(http, dashboardDir);
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

/** Files with a fixed name: the worker of web push, and what a device needs to install the dashboard. */
const FILES_BY_NAME: Readonly<Record<string, string>> = {
  'push-worker.js': 'text/javascript',
  'manifest.webmanifest': 'application/manifest+json',
  'icon-192.png': 'image/png',
  'icon-512.png': 'image/png',
  'icon-maskable-512.png': 'image/png',
  'apple-touch-icon.png': 'image/png',
};

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
  // Beside the pages that they are about, so that their scope is all of them. Revalidated each time, because their names
  // have no hash.
  for (const [name, type] of Object.entries(FILES_BY_NAME)) {
    const path = join(dir, name);
    if (!existsSync(path)) continue;
    const source = readFileSync(path);
    http.get(`/app/${name}`, (_request, reply) =>
      reply
        .header('content-security-policy', PAGE_POLICY)
        .header('cache-control', 'no-cache')
        .type(type)
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
