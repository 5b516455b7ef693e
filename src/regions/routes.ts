import { type Route, read } from '../platform/http/mount.ts';
import { listRegions } from './contract.ts';
import { onlineRegions } from './liveness.ts';

export const regionRoutes: Route[] = [
  read(listRegions, async ({ db, now }) => {
    const online = await onlineRegions(db, now);
    const regions = await db
      .selectFrom('regions')
      .select(['slug', 'name', 'internal'])
      .orderBy('slug')
      .execute();
    return regions.map((region) => ({ ...region, online: online.has(region.slug) }));
  }),
];
