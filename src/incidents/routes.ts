import { type Route, read, write } from '../platform/http/mount.ts';
import { pageLink } from '../platform/http/page-link.ts';
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
  read(contract.listIncidents, async ({ db, subject, query, within, request, reply }) => {
    const limit = query.limit ?? 100;
    const filter = { status: query.status ?? ('open' as const), limit, before: query.before ?? null };
    const list = await listIncidents(db, subject.orgId, filter, within);
    pageLink(request, reply, limit, list.length, list.at(-1)?.id);
    return list;
  }),
  ...ofOneIncident.map((route) => ({ ...route, beforeBody })),
  read(contract.listMonitorIncidents, ({ db, params }) => listMonitorIncidents(db, params.monitor_id)),
];
