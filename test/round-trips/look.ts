// What an organization looks like over HTTP: every list and every detail of it.
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { Project } from '#src/projects/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { Client } from '../harness/client.ts';

/** Answers by path. */
export type Look = Map<string, unknown>;

const OF_ORGANIZATION = [
  ...[
    'alarm-standard',
    'alert-profiles',
    'projects',
    'monitors?limit=1000',
    'webhooks',
    'members',
    'status-pages',
  ],
  ...[
    'maintenance-windows',
    'incidents',
    'incidents.csv',
    'blind-spots',
    'overview',
    'configuration',
    'activity',
  ],
  ...[
    'on-call/calendar',
    'on-call/duty',
    'on-call/members',
    'on-call/overrides',
    'on-call/settings',
    'on-call/shifts',
  ],
  ...['report', 'report.csv?table=monitors', 'api-keys'],
];
/** What stays at an installation, and what no file has. */
const OWN_THINGS = ['agents', 'monitor-views', 'report-subscriptions', 'wall-links'];
const OF_MONITOR = ['', '/alarm-plan', '/checks', '/heartbeat', '/incidents', '/regions', '/hours-of-week'];
const OF_RANGES = ['1h', '1d', '7d', '30d', '90d'].map((range) => `/series?range=${range}`);
const OF_INCIDENT = ['', '/notes', '/postmortem', '/status-pages', '/timeline'];
const OF_PAGE = ['', '/domains', '/subscribers', '/viewers'];

/** Reads everything. Without `figures` what is cheap to compare after each step. */
export async function lookAt(by: Client, orgId: string, figures = true): Promise<Look> {
  const look: Look = new Map();
  const read = async (path: string) => {
    const { status, body } = await by.send('GET', path);
    look.set(path, status === 200 ? body : { status, body });
    return body;
  };
  const all = (paths: readonly string[]) => Promise.all(paths.map(read));
  const at = `/organizations/${orgId}`;
  await all([...OF_ORGANIZATION, ...(figures ? [] : OWN_THINGS)].map((path) => `${at}/${path}`));
  const list = <T>(path: string) => look.get(`${at}/${path}`) as T[];
  for (const { id } of list<Monitor>('monitors?limit=1000'))
    await all([...OF_MONITOR, ...(figures ? OF_RANGES : [])].map((path) => `/monitors/${id}${path}`));
  for (const { id } of list<IncidentSummary>('incidents'))
    await all(OF_INCIDENT.map((path) => `${at}/incidents/${id}${path}`));
  for (const { id } of list<WebhookTarget>('webhooks')) await read(`${at}/webhooks/${id}/deliveries`);
  for (const { id, slug } of list<StatusPage>('status-pages'))
    await all([
      ...OF_PAGE.map((path) => `/status-pages/${id}${path}`),
      ...(figures ? [`/public/status-pages/${slug}`, `/public/status-pages/${slug}/summary.json`] : []),
    ]);
  for (const { id } of list<Project>('projects')) await read(`/projects/${id}/monitors`);
  return look;
}

/** The sentences that say what differs; `clean` makes answers of two installations comparable. */
export function differences(
  before: Look,
  after: Look,
  clean: (path: string, body: unknown, side: 'before' | 'after') => unknown = (_, body) => body,
): string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].flatMap((path) => {
    const was = clean(path, before.get(path), 'before');
    return unlike(was, clean(path, after.get(path), 'after')).map((each) => `${path} ${each}`);
  });
}

/** Where two values differ, as `place: this, not that`. */
export function unlike(was: unknown, is: unknown, place = ''): string[] {
  if (JSON.stringify(was) === JSON.stringify(is)) return [];
  if (isObject(was) && isObject(is) && Array.isArray(was) === Array.isArray(is)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...keys].flatMap((key) => unlike(was[key], is[key], `${place}.${key}`));
  }
  return [`${place}: ${shortly(is)}, not ${shortly(was)}`];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
const shortly = (value: unknown) => (JSON.stringify(value) ?? 'nothing').slice(0, 300);
