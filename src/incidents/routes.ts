import { type Route, read, write } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { acknowledgeIncident } from './acknowledge.ts';
import * as command from './actions-contract.ts';
import * as contract from './contract.ts';
import { createIncident, refuseOutside } from './create.ts';
import { setDiscarded } from './discard.ts';
import { holdIncident } from './hold-by-hand.ts';
import { createNote, listNotes } from './notes.ts';
import { linkPage, listPageLinks, unlinkPage } from './page-links.ts';
import { getPostmortem, publishPostmortem, putPostmortem } from './postmortem.ts';
import { detailOf, incidentOf, listIncidents, listMonitorIncidents } from './queries.ts';
import { resolveIncident } from './resolve.ts';
import { listTimeline } from './timeline.ts';

/** Refuses an unknown incident (404), or one that the key does not cover (403), before the body is read. */
const beforeBody: Route['beforeBody'] = ({ db, subject, params, within }) =>
  incidentOf(db, subject.orgId, params.incident_id ?? '', within);

const linkOf = (params: { incident_id: string; status_page_id: string }) => ({
  incidentId: params.incident_id,
  pageId: params.status_page_id,
});

const ofOneIncident: Route[] = [
  read(contract.getIncident, async ({ db, subject, params, now, within }) =>
    detailOf(await incidentOf(db, subject.orgId, params.incident_id, within), now),
  ),
  write(contract.acknowledgeIncident, ({ subject, params, query, within }, work) =>
    acknowledgeIncident(work, subject.orgId, params.incident_id, within, { group: query.group === 'true' }),
  ),
  write(contract.resolveIncident, ({ subject, params, within }, work) =>
    resolveIncident(work, subject.orgId, params.incident_id, within),
  ),
  read(contract.listIncidentTimeline, (call) => {
    const { db, subject, params, within } = call;
    return paged(
      call,
      (page) => listTimeline(db, subject.orgId, params.incident_id, within, page),
      ({ id }) => id,
    );
  }),
  write(command.discardIncident, ({ subject, params, body, within }, work) =>
    setDiscarded(
      work,
      subject.orgId,
      params.incident_id,
      { discarded: true, reason: body?.reason ?? null },
      within,
    ),
  ),
  write(command.restoreIncident, ({ subject, params, body, within }, work) =>
    setDiscarded(
      work,
      subject.orgId,
      params.incident_id,
      { discarded: false, reason: body?.reason ?? null },
      within,
    ),
  ),
  write(command.holdIncident, ({ subject, params, body, within }, work) =>
    holdIncident(work, subject.orgId, params.incident_id, body.seconds, within),
  ),
  write(command.createNote, ({ subject, params, body, within }, work) =>
    createNote(work, subject.orgId, params.incident_id, body, within),
  ),
  read(command.listNotes, (call) => {
    const { db, subject, params, within } = call;
    return paged(
      call,
      (page) => listNotes(db, subject.orgId, params.incident_id, within, page),
      ({ id }) => id,
    );
  }),
  read(command.getPostmortem, ({ db, subject, params, within }) =>
    getPostmortem(db, subject.orgId, params.incident_id, within),
  ),
  write(command.putPostmortem, ({ subject, params, body, within }, work) =>
    putPostmortem(work, subject.orgId, params.incident_id, body, within),
  ),
  write(command.publishPostmortem, ({ subject, params, within }, work) =>
    publishPostmortem(work, subject.orgId, params.incident_id, within),
  ),
  read(command.listPageLinks, ({ db, subject, params, within }) =>
    listPageLinks(db, subject.orgId, params.incident_id, within),
  ),
  write(command.linkPage, ({ subject, params }, work) => linkPage(work, subject.orgId, linkOf(params))),
  write(command.unlinkPage, async ({ subject, params }, work) => {
    await unlinkPage(work, subject.orgId, linkOf(params));
    return undefined;
  }),
];

export const incidentRoutes: Route[] = [
  read(contract.listIncidents, (call) => {
    const { db, subject, query, within, now } = call;
    const status = query.status ?? 'open';
    return paged(
      call,
      (page) => listIncidents(db, subject.orgId, { status, ...page }, within, now),
      ({ id }) => id,
    );
  }),
  {
    ...write(command.createIncident, ({ subject, body, within }, work) =>
      createIncident(work, subject.orgId, body, within),
    ),
    beforeBody: ({ db, subject, body, within }) =>
      refuseOutside(db, subject.orgId, (body as { monitor_id?: unknown } | null)?.monitor_id, within),
  },
  ...ofOneIncident.map((route) => ({ ...route, beforeBody })),
  read(contract.listMonitorIncidents, ({ db, params, now }) =>
    listMonitorIncidents(db, params.monitor_id, now),
  ),
];
