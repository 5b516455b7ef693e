// What a machine fetches to be watched, or to check from: agent and probe as single files, their sums, and the script that
// installs the agent (docs/rules/agents.md#downloads).
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BUILT_FILES, type BuiltFileName, type BuiltFiles } from '../platform/built-files.ts';
import { refuse } from '../platform/refusals.ts';
import { installScript } from './install-script.ts';

/** How long a copy may be used without asking, in seconds: the sum of a newer file must not meet an older file for long. */
const FRESH_SECONDS = 60;

export type DownloadOptions = { files: BuiltFiles; baseUrl: string };

export function serveDownloads(http: FastifyInstance, { files, baseUrl }: DownloadOptions): void {
  for (const name of Object.keys(BUILT_FILES) as BuiltFileName[]) {
    const built = () => files[name] ?? refuse('unavailable', NOT_BUILT);
    http.get(`/download/${name}`, (request, reply) => {
      const { bytes, sha256 } = built();
      return send(request, reply, { type: 'text/javascript; charset=utf-8', tag: sha256, body: bytes });
    });
    http.get(`/download/${name}.sha256`, (request, reply) => {
      const { sha256 } = built();
      const body = () => `${sha256}  ${name}\n`;
      return send(request, reply, { type: 'text/plain; charset=utf-8', tag: `sum-${sha256}`, body });
    });
  }
  http.get('/download/install-agent.sh', (request, reply) => {
    const { sha256 } = files['tocsin-agent.mjs'] ?? refuse('unavailable', NOT_BUILT);
    const body = () => installScript({ baseUrl, sha256 });
    return send(request, reply, { type: 'text/x-shellscript; charset=utf-8', tag: `script-${sha256}`, body });
  });
}

const NOT_BUILT =
  'This server could not build the file. Its log says why; a restart tries again (npm ci installs what it takes).';

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, tag, body }: { type: string; tag: string; body: () => Promise<Buffer> | string },
): Promise<FastifyReply> {
  const etag = `"${tag}"`;
  reply.header('etag', etag).header('cache-control', `public, max-age=${FRESH_SECONDS}`);
  const known = request.headers['if-none-match'] ?? '';
  if (known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag))
    return reply.status(304).send();
  return reply.type(type).send(await body());
}
