// GET /edge/ask?domain=…: whether an edge may order a certificate for a name (docs/rules/status-pages.md#the-edge). Any other
// answer than 200 means no.
import type { FastifyInstance } from 'fastify';
import { isFromThisMachine } from '#src/platform/http/from-this-machine.ts';
import { notFound } from '#src/platform/refusals.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { hostName, ownName } from './names.ts';
import { takeOrder } from './orders.ts';

export type AskOptions = {
  db: Database;
  clock: () => Date;
  baseUrl: string;
  /** The kind of edge. Orders of an operator's own proxy are not counted, since its certificates are unknown. */
  edge: 'none' | 'caddy';
};

/** Serves the route only to an edge on this machine, so that others cannot enumerate domains. */
export function serveAsk(http: FastifyInstance, options: AskOptions): void {
  http.get<{ Querystring: { domain?: unknown } }>('/edge/ask', async (request, reply) => {
    if (!isFromThisMachine(request)) notFound('page');
    const { domain } = request.query;
    const name = typeof domain === 'string' ? hostName(domain) : null;
    if (name === null) return notFound('domain');
    await mayOrder(options, name);
    return reply.type('text/plain').send('yes\n');
  });
}

/** Refuses unless the name is served; counts new orders, but not renewals. */
async function mayOrder({ db, clock, baseUrl, edge }: AskOptions, name: string): Promise<void> {
  if (name === ownName(baseUrl)) return;
  const found = await db
    .selectFrom('status_page_domains')
    .innerJoin('status_pages', 'status_pages.id', 'status_page_domains.status_page_id')
    .select(['status_page_domains.org_id', 'status_page_domains.cert_status'])
    .where('status_page_domains.domain', '=', name)
    .where('status_page_domains.status', '=', 'verified')
    .where('status_pages.archived_at', 'is', null)
    .executeTakeFirst();
  if (!found) return notFound('domain');
  if (edge === 'none' || found.cert_status === 'issued') return;
  await runWork(db, clock(), SYSTEM, (work) => takeOrder(work, { orgId: found.org_id, domain: name }));
}
