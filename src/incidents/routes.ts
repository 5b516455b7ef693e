import { type Route, read, write } from '../platform/http/mount.ts';
import { pageLink } from '../platform/http/page-link.ts';
import { acknowledgeIncident } from './acknowledge.ts';
import * as contract from './contract.ts';
import { detailOf, incidentOf, listIncidents, listMonitorIncidents } from './queries.ts';
import { resolveIncident } from './resolve.ts';
import { listTimeline } from './timeline.ts';

export const incidentRoutes: Route[] = [
  read(contract.listIncidents, async ({ db, subject, query, request, reply }) => {
    const limit = query.limit ?? 100;
    const list = await listIncidents(db, subject.orgId, {
      status: query.status ?? 'open',
      limit,
      before: query.before ?? null,
    });
    pageLink(request, reply, limit, list.length, list.at(-1)?.id);
    return list;
  }),
  read(contract.getIncident, async ({ db, subject, params, now }) =>
    detailOf(await incidentOf(db, subject.orgId, params.incident_id), now),
  ),
  write(contract.acknowledgeIncident, ({ subject, params }, work) =>
    acknowledgeIncident(work, subject.orgId, params.incident_id),
  ),
  write(contract.resolveIncident, ({ subject, params }, work) =>
    resolveIncident(work, subject.orgId, params.incident_id),
  ),
  read(contract.listIncidentTimeline, ({ db, subject, params }) =>
    listTimeline(db, subject.orgId, params.incident_id),
  ),
  read(contract.listMonitorIncidents, ({ db, params }) => listMonitorIncidents(db, params.monitor_id)),
];
