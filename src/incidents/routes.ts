import { capsuleOf } from '../capsules/read.ts';
import { matches } from '../domain/incident-filter.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { sendCsv } from '../platform/http/csv-stream.ts';
import { paged } from '../platform/http/page.ts';
import { type Route, raw, read, show, write } from '../platform/http/route.ts';
import type { Vault } from '../platform/secrets.ts';
import { acknowledgeIncident } from './acknowledge.ts';
import * as command from './actions-contract.ts';
import * as contract from './contract.ts';
import { createIncident, refuseOutsideKey } from './create.ts';
import { setDiscarded } from './discard.ts';
import { holdIncident } from './hold-by-hand.ts';
import { createNote, listNotes } from './notes.ts';
import { linkPage, listPageLinks, unlinkPage } from './page-links.ts';
import { getPostmortem, hasPostmortem, publishPostmortem, putPostmortem } from './postmortem.ts';
import { detailOf, incidentOf, listIncidents, listMonitorIncidents } from './queries.ts';
import { resolveIncident } from './resolve.ts';
import { INCIDENT_COLUMNS } from './table.ts';
import { listTimeline } from './timeline.ts';

/** Refuses an unknown incident (404), or one that the key does not cover (403), before the body is read. */
const beforeBody: Route['beforeBody'] = ({ db, resource, params, within }) =>
  incidentOf(db, resource.orgId, params.incident_id ?? '', within);

const linkOf = (params: { incident_id: string; status_page_id: string }) => ({
  incidentId: params.incident_id,
  pageId: params.status_page_id,
});

/** Members may see failure capsules, and so may keys that can change the monitor. */
const SEES_CAPSULES = { right: 'member', method: 'GET', scope: 'monitors:write' } as const;

const getOne = (vault: Vault): Route =>
  read(contract.getIncident, async (call) => {
    const { db, resource, params, now, within } = call;
    const incident = detailOf(await incidentOf(db, resource.orgId, params.incident_id, within), now);
    const maySee = hasRight(SEES_CAPSULES, call);
    const [capsule, has_postmortem] = await Promise.all([
      capsuleOf(db, vault, incident.id, { maySee, now }),
      hasPostmortem(db, incident.id),
    ]);
    return { ...incident, ...capsule, has_postmortem };
  });

const ofOneIncident: Route[] = [
  write(contract.acknowledgeIncident, ({ resource, params, query, within }, work) =>
    acknowledgeIncident(work, resource.orgId, params.incident_id, within, { group: query.group === 'true' }),
  ),
  write(contract.resolveIncident, ({ resource, params, within }, work) =>
    resolveIncident(work, resource.orgId, params.incident_id, within),
  ),
  show(contract.listIncidentTimeline, (call) => {
    const { db, resource, params, within } = call;
    return paged(
      call,
      (page) => listTimeline(db, resource.orgId, params.incident_id, within, page),
      ({ id }) => id,
    );
  }),
  write(command.discardIncident, ({ resource, params, body, within }, work) =>
    setDiscarded(
      work,
      resource.orgId,
      params.incident_id,
      { discarded: true, reason: body?.reason ?? null },
      within,
    ),
  ),
  write(command.restoreIncident, ({ resource, params, body, within }, work) =>
    setDiscarded(
      work,
      resource.orgId,
      params.incident_id,
      { discarded: false, reason: body?.reason ?? null },
      within,
    ),
  ),
  write(command.holdIncident, ({ resource, params, body, within }, work) =>
    holdIncident(work, resource.orgId, params.incident_id, body.seconds, within),
  ),
  write(command.createNote, ({ resource, params, body, within }, work) =>
    createNote(work, resource.orgId, params.incident_id, body, within),
  ),
  read(command.listNotes, (call) => {
    const { db, resource, params, within } = call;
    return paged(
      call,
      (page) => listNotes(db, resource.orgId, params.incident_id, within, page),
      ({ id }) => id,
    );
  }),
  read(command.getPostmortem, ({ db, resource, params, within }) =>
    getPostmortem(db, resource.orgId, params.incident_id, within),
  ),
  write(command.putPostmortem, ({ resource, params, body, within }, work) =>
    putPostmortem(work, resource.orgId, params.incident_id, body, within),
  ),
  write(command.publishPostmortem, ({ resource, params, within }, work) =>
    publishPostmortem(work, resource.orgId, params.incident_id, within),
  ),
  read(command.listPageLinks, ({ db, resource, params, within }) =>
    listPageLinks(db, resource.orgId, params.incident_id, within),
  ),
  write(command.linkPage, ({ resource, params }, work) => linkPage(work, resource.orgId, linkOf(params))),
  write(command.unlinkPage, async ({ resource, params }, work) => {
    await unlinkPage(work, resource.orgId, linkOf(params));
    return undefined;
  }),
];

export const incidentRoutes = ({ vault }: { vault: Vault }): Route[] => [
  show(contract.listIncidents, (call) => {
    const { db, resource, query, within, now } = call;
    const status = query.status ?? 'open';
    return paged(
      call,
      (page) => listIncidents(db, resource.orgId, { status, ...page }, within, now),
      ({ id }) => id,
    );
  }),
  {
    ...raw(contract.getIncidentTable, ({ db, resource, query, within, now, reply }) => {
      const { status = 'open', ...filter } = query;
      return sendCsv(reply, {
        name: `incidents-${status}`,
        columns: INCIDENT_COLUMNS,
        list: (page) => listIncidents(db, resource.orgId, { status, ...page }, within, now),
        cursorOf: ({ id }) => id,
        keep: (incident) => matches(incident, filter),
      });
    }),
    held: false,
  },
  {
    ...write(command.createIncident, ({ resource, body, within }, work) =>
      createIncident(work, resource.orgId, body, within),
    ),
    beforeBody: ({ db, resource, body, within }) =>
      refuseOutsideKey(db, resource.orgId, (body as { monitor_id?: unknown } | null)?.monitor_id, within),
  },
  ...[getOne(vault), ...ofOneIncident].map((route) => ({ ...route, beforeBody })),
  show(contract.listMonitorIncidents, ({ db, params, now }) =>
    listMonitorIncidents(db, params.monitor_id, now),
  ),
];
