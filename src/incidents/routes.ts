import { type Route, read, write } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { acknowledgeIncident } from './acknowledge.ts';
import * as contract from './contract.ts';
import { detailOf, incidentOf, listIncidents, listMonitorIncidents } from './queries.ts';
import { resolveIncident } from './resolve.ts';
import { listTimeline } from './timeline.ts';

/** 404 or 403 of the incident in the path. */
const beforeBody: Route['beforeBody'] = ({ db, subject, params, within }) =>
  incidentOf(db, subject.orgId, params.incident_id ?? '', within);

const ofOneIncident: Route[] = [
  read(contract.getIncident, async ({ db, subject, params, now, within }) =>
    detailOf(await incidentOf(db, subject.orgId, params.incident_id, within), now),
  ),
  write(contract.acknowledgeIncident, ({ subject, params, within }, work) =>
    acknowledgeIncident(work, subject.orgId, params.incident_id, within),
  ),
  write(contract.resolveIncident, ({ subject, params, within }, work) =>
    resolveIncident(work, subject.orgId, params.incident_id, within),
  ),
  read(contract.listIncidentTimeline, ({ db, subject, params, within }) =>
    listTimeline(db, subject.orgId, params.incident_id, within),
  ),
];

export const incidentRoutes: Route[] = [
  read(contract.listIncidents, (call) => {
    const { db, subject, query, within } = call;
    const status = query.status ?? 'open';
    return paged(
      call,
      (page) => listIncidents(db, subject.orgId, { status, ...page }, within),
      ({ id }) => id,
    );
  }),
  ...ofOneIncident.map((route) => ({ ...route, beforeBody })),
  read(contract.listMonitorIncidents, ({ db, params }) => listMonitorIncidents(db, params.monitor_id)),
];
