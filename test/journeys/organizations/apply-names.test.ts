// The names by which a configuration file knows things (docs/rules/configuration-files.md#the-file).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Project } from '#src/projects/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { apply, applyTwice, at, monitorsOf, send, web } from '#test/harness/configuration-files.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

test('monitors may name one another in any order; a ring of them is refused', async () => {
  const place = await app.place();
  const tcp = (name: string, dependsOn: string) =>
    `{ name: ${name}, type: tcp, config: { host: a.example.com, port: 1 }, depends_on: [${dependsOn}] }`;
  const file = (...monitors: string[]) => `projects: [{ name: P, monitors: [${monitors.join(', ')}] }]`;
  await apply(app, place, file(tcp('A', 'B'), tcp('B', 'C'), tcp('C', '')));
  // Turned round: what each gives up comes before what another takes up.
  await apply(app, place, file(tcp('A', ''), tcp('B', 'A'), tcp('C', 'B')));
  const monitors = await monitorsOf(app, place);
  assert.deepEqual(monitors.get('C')?.depends_on, [monitors.get('B')?.id]);
  assert.deepEqual(monitors.get('A')?.depends_on, []);
  assertRefused(await send(app.alice, place, file(tcp('A', 'C'), tcp('B', 'A'), tcp('C', 'B'))), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.depends_on' },
  });
});

test('a reference with blanks around it may name a monitor that comes later in the file', async () => {
  const place = await app.place();
  const tcp = (name: string, more = '') =>
    `{ name: ${name}, type: tcp, config: { host: a.example.com, port: 1 }${more} }`;
  const first = tcp('A', ', depends_on: [" B "]');
  await applyTwice(app, place, `projects: [{ name: P, monitors: [${first}, ${tcp('B')}] }]`);
  const monitors = await monitorsOf(app, place);
  assert.deepEqual(monitors.get('A')?.depends_on, [monitors.get('B')?.id]);
});

test('names that two things have are refused, in the file and in the organization', async () => {
  const place = await app.place();
  const refused = async (file: string, message: RegExp) => {
    const answer = await send(app.alice, place, file);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.match((answer.body as unknown as { message: string }).message, message);
  };
  const m = '{ name: M, type: tcp, config: { host: a.example.com, port: 1 } }';
  await refused(`projects: [{ name: P, monitors: [${m}, ${m}] }]`, /two monitors called P\/M/);
  await refused('projects: [{ name: P }, { name: "P " }]', /two projects called "P"/);
  await refused('alert_profiles: [{ name: P }, { name: P }]', /two alert profiles called "P"/);
  await apply(app, place, `projects: [{ name: P, monitors: [${m}] }, { name: Q, monitors: [${m}] }]`);
  await refused(
    'status_pages: [{ name: S, monitors: [{ monitor: M }] }]',
    /"M" of "P" and "M" of "Q" may both be/,
  );
  const hook = { name: 'H', kind: 'webhook', url: 'https://h.example.com/', events: ['opened'] };
  for (const _ of [1, 2]) await app.alice.ok('POST', at(place, '/webhooks'), hook);
  await refused(JSON.stringify({ webhooks: [hook] }), /has 2 webhooks of this kind and name/);
});

test('a reference means the same the first time and the second', async () => {
  const place = await app.place();
  const tcp = (name: string, more = '') =>
    `{ name: ${name}, type: tcp, config: { host: a.example.com, port: 1 }${more} }`;
  await apply(app, place, `projects: [{ name: Infra, monitors: [${tcp('Main')}] }]`);
  const itself = `projects: [{ name: Web, monitors: [${tcp('Main', ', depends_on: [Main]')}] }]`;
  assertRefused(await send(app.alice, place, itself), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.depends_on.0' },
  });
  const other = `projects: [{ name: Web, monitors: [${tcp('Main', ', depends_on: [" Infra/Main "]')}] }]`;
  await applyTwice(app, place, other);
});

test('a member that is no name is refused with its place', async () => {
  const place = await app.place();
  const group = { type: 'group', config: { members: ['Y', 404], rule: 'any_failed' } };
  const file = {
    projects: [
      {
        name: 'P',
        monitors: [
          { name: 'G', ...group },
          { name: 'Y', ...web },
        ],
      },
    ],
  };
  assertRefused(await send(app.alice, place, JSON.stringify(file)), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.config.members.1' },
  });
});

test('two projects of one name concern only a file that names projects', async () => {
  const place = await app.place();
  const other = await app.alice.ok<Project>('POST', at(place, '/projects'), { name: 'Other' });
  await app.alice.ok('PATCH', `/projects/${other.id}`, { name: 'Shop' });
  assert.equal((await send(app.alice, place, 'alert_profiles: []')).status, 200);
  const answer = await send(app.alice, place, 'projects: []');
  assert.match((answer.body as unknown as { message: string }).message, /two projects called "Shop"/);
});
