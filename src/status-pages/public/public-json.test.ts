// Tests of the two JSON documents, and of all documents together: none of them has anything that is not public.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from 'typebox/value';
import { badgeOf } from './badge.ts';
import { calendarOf } from './calendar.ts';
import { PublicStatusPage } from './contract.ts';
import { renderEmbed } from './embed.ts';
import { atomOf, rssOf } from './feed.ts';
import { renderHistory, renderIncident, renderPage } from './page.ts';
import { publicJsonOf } from './public-json.ts';
import { outage, SCENES } from './scenes.testing.ts';
import {
  AT,
  ago,
  groupOf,
  idOf,
  incidentOf,
  monitorOf,
  noteOf,
  shownAs,
  snapshotOf,
  windowOf,
} from './snapshot.testing.ts';
import type { Snapshot } from './snapshot.ts';
import { summaryOf } from './summary.ts';

test('the public JSON matches its contract, in every state of a page', () => {
  for (const scene of Object.values(SCENES)) {
    const json = JSON.parse(JSON.stringify(publicJsonOf(scene(), shownAs())));
    assert.deepEqual([...Value.Errors(PublicStatusPage, json)], []);
  }
});

test('the public JSON has exact figures, and times in whole seconds', () => {
  const snapshot = snapshotOf({ groups: [groupOf('Shop', [monitorOf(1, 'Web', { uptimePct: 99.98765 })])] });
  const json = publicJsonOf({ ...snapshot, incidents: [incidentOf(1)] }, shownAs());
  assert.equal(json.groups[0]!.monitors[0]!.uptime_pct, 99.98765);
  assert.equal(json.groups[0]!.monitors[0]!.days.at(-1)!.date, '2026-11-23');
  assert.equal(json.as_of_unix, AT.getTime() / 1000);
  assert.deepEqual([json.incidents[0]!.status, json.incidents[0]!.resolved_at_unix], ['open', null]);
});

type Summary = {
  components: {
    id: string;
    name: string;
    status: string;
    group: boolean;
    group_id: string | null;
    components?: string[];
  }[];
  incidents: {
    name: string;
    status: string;
    impact: string;
    incident_updates: { body: string }[];
    components: { id: string }[];
  }[];
  scheduled_maintenances: {
    name: string;
    status: string;
    scheduled_for: string;
    incident_updates: { body: string }[];
  }[];
  status: { indicator: string; description: string };
};

test('the summary is compatible with Statuspage: groups with their components, open incidents, planned maintenance', () => {
  const summary = summaryOf(
    {
      ...outage(),
      maintenance: [windowOf(1), windowOf(2, { state: 'past' }), windowOf(3, { cancelledAt: ago(60) })],
    },
    shownAs(),
  ) as Summary;
  const [group, website, checkout] = summary.components;
  assert.deepEqual([group!.name, group!.group, group!.status], ['Shop', true, 'partial_outage']);
  assert.deepEqual(group!.components, [idOf('mon', 1), idOf('mon', 2), idOf('mon', 3)]);
  assert.deepEqual([website!.status, website!.group_id], ['degraded_performance', group!.id]);
  assert.equal(checkout!.status, 'major_outage');
  assert.equal(summary.incidents.length, 1);
  const [incident] = summary.incidents;
  assert.deepEqual(
    [incident!.name, incident!.status, incident!.impact],
    ['Outage: Checkout', 'identified', 'major'],
  );
  assert.match(incident!.incident_updates[0]!.body, /^We have found the cause/);
  assert.deepEqual(
    incident!.components.map(({ id }) => id),
    [idOf('mon', 2)],
  );
  assert.deepEqual(
    summary.scheduled_maintenances.map(({ name, status, scheduled_for }) => [name, status, scheduled_for]),
    [['Database upgrade', 'scheduled', '2026-11-24T14:05:00.000Z']],
  );
  assert.deepEqual(summary.status, { indicator: 'major', description: 'Partial outage' });
});

test('an incident of the summary names its own component, though another has the same name', () => {
  const groups = ['EU', 'US'].map((name, at) => groupOf(name, [monitorOf(at + 1, 'API')]));
  const incidents = [incidentOf(1, { monitors: [{ id: idOf('mon', 1), label: 'API' }] })];
  const summary = summaryOf(snapshotOf({ groups, incidents }), shownAs()) as Summary;
  assert.deepEqual(
    summary.incidents[0]!.components.map(({ id }) => id),
    [idOf('mon', 1)],
  );
});

/** Fields that a reader might add to a snapshot by mistake one day. */
function withSecrets(snapshot: Snapshot): Snapshot {
  const secret = (no: number) => ({
    cause: `SECRET-${no}`,
    regions: [`SECRET-${no}`],
    author: `SECRET-${no}`,
  });
  const page = { ...snapshot.page, orgId: 'org_SECRET', ...secret(1) };
  const groups = snapshot.groups.map((group) => ({
    ...{ ...group, ...secret(2) },
    monitors: group.monitors.map((monitor) => ({ ...monitor, ...secret(3) })),
  }));
  const incidents = snapshot.incidents.map((incident) => ({
    ...{ ...incident, ...secret(4) },
    notes: incident.notes.map((note) => ({ ...note, ...secret(5) })),
    postmortem: incident.postmortem && { ...incident.postmortem, ...secret(6) },
  }));
  const maintenance = snapshot.maintenance.map((window) => ({ ...window, ...secret(7) }));
  return { ...snapshot, page, groups, incidents, maintenance };
}

test('nothing but the public facts of a snapshot is in any document', () => {
  const snapshot = withSecrets({ ...outage(), maintenance: [windowOf(1)] });
  const incident = { ...snapshot.incidents[0]!, notes: [noteOf(1, 1, 'Public words.')] };
  const shown = shownAs();
  const documents = [
    renderPage(snapshot, shown, { asOf: true, subscribe: true }),
    renderHistory(snapshot, shown, []),
    ...snapshot.incidents.map(({ id }) => renderIncident(snapshot, shown, id)),
    renderEmbed(snapshot, shown, { asOf: true }),
    badgeOf(snapshot, { monitorId: null, metric: 'status', style: 'flat' }),
    badgeOf(snapshot, { monitorId: idOf('mon', 1), metric: 'uptime', style: 'flat' }),
    rssOf({ ...snapshot, incidents: [incident] }, shown),
    atomOf(snapshot, shown),
    calendarOf(snapshot, shown),
    JSON.stringify(summaryOf(snapshot, shown)),
    JSON.stringify(publicJsonOf(snapshot, shown)),
  ];
  for (const [at, document] of documents.entries())
    assert.equal(document?.includes('SECRET'), false, `${at}`);
});
