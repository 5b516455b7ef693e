// Configuration files applied over HTTP: what the tests of applying share.
import assert from 'node:assert/strict';
import { parse } from 'yaml';
import type { AppliedThing, ApplyReport } from '#src/configuration-apply/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Project } from '#src/projects/contract.ts';
import type { Person, Place, TestApp } from './app.ts';

export type Query = '' | '?dry_run=true' | '?prune=true' | '?dry_run=true&prune=true';
export const at = ({ orgId }: Place, path = '') => `/organizations/${orgId}${path}`;
export const send = (by: Person, place: Place, file: string, query: Query = '') =>
  by.send<ApplyReport>('POST', at(place, `/apply${query}`), parse(file));

/** As the operator of the test, who owns every place; the answer must be 200. */
export async function apply(
  { alice }: TestApp,
  place: Place,
  file: string,
  query: Query = '',
): Promise<AppliedThing[]> {
  const answer = await send(alice, place, file, query);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.things;
}

/** Applies a file twice: the second time nothing may change. Returns the lines of the first. */
export async function applyTwice(app: TestApp, place: Place, file: string): Promise<string[]> {
  const first = lines(await apply(app, place, file));
  const again = lines(await apply(app, place, file)).filter((line) => !/^(unchanged|not_in_file)/.test(line));
  assert.deepEqual(again, []);
  return first;
}

export const lines = (things: readonly AppliedThing[]) =>
  things.map(({ kind, name, outcome, changed }) =>
    [
      ...[outcome, kind],
      ...(name === null ? [] : [name]),
      ...(changed.length > 0 ? [`(${changed.join(', ')})`] : []),
    ].join(' '),
  );

/** By name. */
export async function monitorsOf({ alice }: TestApp, place: Place): Promise<Map<string, Monitor>> {
  const projects = await alice.ok<Project[]>('GET', at(place, '/projects'));
  const lists = await Promise.all(
    projects.map(({ id }) => alice.ok<Monitor[]>('GET', `/projects/${id}/monitors`)),
  );
  return new Map(lists.flat().map((monitor) => [monitor.name, monitor]));
}

/** A monitor without anything that it need not have. */
export const web = { type: 'http', config: { url: 'https://a.example.com/' } };

export const monitorFile = (fields: object) =>
  JSON.stringify({ projects: [{ name: 'P', monitors: [{ name: 'M', ...fields }] }] });

const ACME = `
alarm_standard: { min_regions: 1, alarm_consecutive: 2 }
alert_profiles:
  - { name: Patient, alarm_consecutive: 3, alarm_min_duration_seconds: 60 }
projects:
  - name: Store
    monitors:
      - { name: Everything, type: group, config: { members: [Home page, Database], rule: any_failed } }
      - name: Home page
        type: http
        config:
          url: https://shop.example.com/
          headers: { Authorization: Bearer one }
        interval_seconds: 120
        alert_profile: Patient
        depends_on: [Database, Office/Router]
        tags: [Shop, front]
      - { name: Database, type: tcp, config: { host: db.example.com, port: 5432 }, severity: default }
  - name: Office
    monitors:
      - { name: Router, type: ping, config: { host: router.example.com }, enabled: false }
webhooks:
  - name: Operations
    kind: slack
    url: https://hooks.slack.com/services/T0/B0/first
    events: [opened, resolved]
    projects: [Store]
    min_severity: critical
  - { name: Tickets, kind: webhook, url: https://tickets.example.com/hook, events: [opened] }
  - { name: Pager, kind: pagerduty, credential: R0UT1NGKEYR0UT1NGKEYR0UT1NGKEY00, events: [opened] }
on_call:
  enabled: true
  timezone: Europe/Berlin
  rotation_mode: manual
  manual_duty: admin@example.com
  roster: [admin@example.com]
status_pages:
  - name: Acme
    slug: SLUG
    access_mode: public
    headline: How we do
    header_nav: [{ label: Shop, href: https://shop.example.com }]
    monitors:
      - { monitor: Store/Home page, display_name: The shop, uptime_window_days: 30 }
      - { monitor: Router }
    tags: [front]
`;
let pages = 0;
/** A file with every section; its page has a slug of its own each time. */
export const acme = ({ alice }: TestApp) => {
  pages += 1;
  return ACME.replace('SLUG', `acme-${pages}`).replaceAll('admin@example.com', alice.email);
};
