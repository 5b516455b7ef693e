import { recordActivity } from '../activity/record.ts';
import { type Route, raw } from '../platform/http/route.ts';
import { makeSlots } from '../platform/http/slots.ts';
import type { Log } from '../platform/log.ts';
import { notFound } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import * as contract from './contract.ts';
import { startDownload } from './download.ts';

/** Each takes two connections of its own, and reads as fast as it is taken. */
const MAX_EXPORTS = 4;

export type ExportRouteOptions = { url: string; vault: Vault; version: string; log: Log };

export function exportRoutes({ url, vault, version, log }: ExportRouteOptions): Route[] {
  const slots = makeSlots(MAX_EXPORTS);
  return [
    raw(contract.exportOrganization, async ({ db, resource, query, now, tenant, reply, work }) => {
      const { orgId } = resource;
      const release = slots.take(
        tenant?.owner ?? orgId,
        'Another export is being written; wait until it is finished, and try again.',
      );
      try {
        const organization =
          (await db
            .selectFrom('organizations')
            .select(['slug', 'name'])
            .where('id', '=', orgId)
            .executeTakeFirst()) ?? notFound('organization');
        // Before the first byte: whoever has the file has it from then on.
        await work((unit) =>
          recordActivity(unit, {
            orgId,
            action: 'organization.export',
            resource: { kind: 'organization', id: orgId, name: organization.name },
            after: { checks_days: query.checks_days ?? null },
          }),
        );
        const checksDays = query.checks_days;
        const download = startDownload({ url, vault, version, now, organizationId: orgId, checksDays });
        download.done.then(release, (error: Error) => {
          release();
          log.warn({ orgId, error: error.message }, 'an export was not finished');
        });
        await download.begun;
        const name = `${organization.slug}-${now.toISOString().slice(0, 10)}.jsonl`;
        return reply
          .header('content-disposition', `attachment; filename="${name}"`)
          .header('cache-control', 'no-store')
          .type('application/x-ndjson; charset=utf-8')
          .send(download.body);
      } catch (error) {
        release();
        throw error;
      }
    }),
  ];
}
