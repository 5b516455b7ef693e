import { listIncidents } from '../incidents/contract.ts';
import { listMaintenance } from '../maintenance/contract.ts';
import { getDuty } from '../on-call/contract.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { type Route, read } from '../platform/http/route.ts';
import { getOverview } from './contract.ts';
import { readOverview, type Sources } from './read.ts';

export const overviewRoutes = (sources: Sources): Route[] => [
  read(getOverview, (call) => {
    const { db, resource, within, now, query } = call;
    const sees = {
      incidents: hasRight(listIncidents, call),
      onCall: hasRight(getDuty, call),
      maintenance: hasRight(listMaintenance, call),
    };
    const asked = { orgId: resource.orgId, within, now, tiles: query.monitors !== 'false', sees };
    return readOverview(db, asked, sources);
  }),
];
