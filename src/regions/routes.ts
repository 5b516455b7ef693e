import { type Route, read, write } from '../platform/http/route.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { listAdministered } from './administered.ts';
import { removeProbe, setAdmission } from './admission.ts';
import * as contract from './contract.ts';
import { createRegion, type RegionOptions } from './create.ts';
import { NO_REGION } from './find.ts';
import { onlineRegions } from './liveness.ts';
import { createProbeToken, probeCommand, revokeProbeToken } from './tokens.ts';
import { updateRegion } from './update.ts';

export function regionRoutes(options: RegionOptions & { baseUrl: string }): Route[] {
  return [
    read(contract.listRegions, async ({ db, now }) => {
      const online = await onlineRegions(db, now);
      const regions = await db
        .selectFrom('regions')
        .select(['slug', 'name', 'internal'])
        .where('no', '<>', NO_REGION)
        .orderBy('slug')
        .execute();
      return regions.map((region) => ({ ...region, online: online.has(region.slug) }));
    }),
    read(contract.listAdministeredRegions, ({ db, now }) => listAdministered(db, now)),
    write(contract.createRegion, async ({ body }, work) => {
      await createRegion(asOperator(work), body, options);
      return oneOf(work.tx, work.now, body.slug);
    }),
    write(contract.updateRegion, async ({ params, body }, work) => {
      await updateRegion(asOperator(work), params.region_slug, body, options);
      return oneOf(work.tx, work.now, params.region_slug);
    }),
    write(contract.createProbeToken, async ({ params, body }, work) => {
      const { id, token } = await createProbeToken(asOperator(work), params.region_slug, body?.max_probes);
      return { id, token, command: probeCommand(options.baseUrl, token) };
    }),
    write(contract.revokeProbeToken, async ({ params }, work) => {
      await revokeProbeToken(asOperator(work), params.region_slug, params.token_id);
      return undefined;
    }),
    write(contract.updateProbe, async ({ params, body }, work) => {
      await setAdmission(asOperator(work), params.region_slug, params.probe_id, body.admission);
      return oneOf(work.tx, work.now, params.region_slug);
    }),
    write(contract.removeProbe, async ({ params }, work) => {
      await removeProbe(asOperator(work), params.region_slug, params.probe_id);
      return undefined;
    }),
  ];
}

/** The activity log names the operator as the actor, whatever other roles the person has. */
const asOperator = (work: Work): Work => ({ ...work, actor: { ...work.actor, kind: 'operator' } });

async function oneOf(db: Database | Tx, now: Date, slug: string) {
  const [region] = await listAdministered(db, now, slug);
  return region ?? notFound('region');
}
