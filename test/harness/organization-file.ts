// Organizations as files, over HTTP: what tests of export and import share.
import assert from 'node:assert/strict';
import type { ImportReport } from '#src/configuration-import/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { Person, Place, TestApp } from './app.ts';
import { type LivedIn, liveIn } from './lived-in.ts';

export type Line = { kind: string; data: Record<string, unknown> };

/** An organization that has everything, and its export. */
export async function makeExported(app: TestApp): Promise<{ ours: LivedIn; text: string; lines: Line[] }> {
  const ours = await liveIn(app);
  await addMore(app, ours);
  const text = await download(ours.owner, ours.orgId);
  return { ours, text, lines: linesOf(text) };
}

export const at = ({ orgId }: Pick<Place, 'orgId'>, path = '') => `/organizations/${orgId}${path}`;
export const linesOf = (file: string) =>
  file
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
export const fileOf = (given: readonly (Line | string)[]) =>
  given.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');

export async function download(by: Person, orgId: string): Promise<string> {
  const answer = await by.send<string>('POST', at({ orgId }, '/export'));
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

export const bring = (by: Person, place: Pick<Place, 'orgId'>, file: string, preview = false) =>
  by.send<ImportReport>('POST', at(place, `/import${preview ? '?preview=true' : ''}`), file);

export async function brought(by: Person, place: Pick<Place, 'orgId'>, file: string, preview = false) {
  const answer = await bring(by, place, file, preview);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** What the scene lacks: things that name each other, and maintenance ahead. */
async function addMore(app: TestApp, ours: LivedIn): Promise<void> {
  const { owner, projectId, monitorId } = ours;
  const make = (body: object) => owner.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body);
  const beat = await make({
    name: 'Nightly job',
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 300 } },
    tags: ['jobs'],
  });
  const last = await make({ name: 'Last', type: 'http', config: { url: 'https://last.example.com/' } });
  const group = await make({
    name: 'All of it',
    type: 'group',
    config: { members: [beat.id, last.id], rule: 'any_failed' },
  });
  const [target] = await owner.ok<WebhookTarget[]>('GET', at(ours, '/webhooks'));
  await owner.ok('PATCH', at(ours, `/webhooks/${target?.id}`), {
    project_ids: [projectId],
    tags: ['jobs'],
    min_severity: 'default',
  });
  // Back to one that was made before it, and forward to one that was made after.
  await owner.ok('PATCH', `/monitors/${monitorId}`, { depends_on: [group.id] });
  const start = Math.floor(app.clock.ms() / 1000) + 86_400;
  const times = { scheduled_start: start, scheduled_end: start + 3600 };
  await owner.ok('POST', at(ours, '/maintenance-windows'), { title: 'Once', monitors: [last.id], ...times });
  await owner.ok('POST', at(ours, '/maintenance-windows'), {
    title: 'Weekly',
    monitors: [beat.id, last.id],
    tags: ['jobs'],
    ...times,
    repeat: { rrule: 'FREQ=WEEKLY', timezone: 'Europe/Berlin' },
  });
}

export const monitorsOf = (by: Person, place: Pick<Place, 'orgId'>) =>
  by.ok<Monitor[]>('GET', at(place, '/monitors?limit=1000'));

/** What of a monitor comes in with a file. */
const COMPARED = [
  ...(['name', 'type', 'config', 'enabled', 'interval_seconds', 'regions', 'policy'] as const),
  ...(['alarm_gate', 'depends_on', 'severity', 'tags'] as const),
];

/** The configuration of an organization, without what is of one organization alone: ids become names. */
export async function configurationOf(app: TestApp, by: Person, place: Pick<Place, 'orgId'>) {
  const monitors = await monitorsOf(by, place);
  const whole = await Promise.all(monitors.map(({ id }) => by.ok<Monitor>('GET', `/monitors/${id}`)));
  const profiles = await by.ok<{ id: string; name: string }[]>('GET', at(place, '/alert-profiles'));
  const windows = await by.ok<{ title: string; scheduled_start: number; monitors: { name: string }[] }[]>(
    'GET',
    at(place, '/maintenance-windows'),
  );
  const targets = await by.ok<WebhookTarget[]>('GET', at(place, '/webhooks'));
  const projects = await by.ok<{ id: string; name: string }[]>('GET', at(place, '/projects'));
  const names = new Map([...whole, ...profiles, ...projects].map(({ id, name }) => [id, name]));
  const named = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (_, each) =>
        typeof each === 'string' ? (names.get(each) ?? each.replace(/(?<=heartbeat.).*/, '…')) : each,
      ),
    );
  return {
    monitors: whole
      .map((monitor) => named(Object.fromEntries(COMPARED.map((field) => [field, monitor[field]]))))
      .sort(byText),
    profiles: profiles.map(({ id: _, ...profile }) => ({ ...profile, monitor_count: 0, created_at_unix: 0 })),
    standard: await by.ok('GET', at(place, '/alarm-standard')),
    windows: windows
      .filter(({ scheduled_start: start }) => start * 1000 > app.clock.ms())
      .map(({ title, scheduled_start, monitors: of }) => [
        title,
        scheduled_start,
        of.map(({ name }) => name).sort(),
      ])
      .sort(byText),
    targets: targets
      .map(({ name, kind, events, project_ids, tags, min_severity }) =>
        named([name, kind, events, project_ids, tags, min_severity]),
      )
      .sort(byText),
  };
}

const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
