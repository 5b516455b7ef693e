// `tocsin apply -f FILE` (docs/rules/configuration-files.md#the-command).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { applyRemotely, type Server } from '#src/cli/apply/remote.ts';
import { OPERATOR } from '#src/cli/open-installation.ts';
import type { ConfigurationFile } from '#src/configuration-apply/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, SECRET_KEY, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { tocsin } from '#test/harness/command.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { grantKey } from '#test/harness/scene.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-apply-'));
after(() => rmSync(dir, { recursive: true }));
const file = join(dir, 'acme.yaml');

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const run = (words: string[], { input = '', ...env }: Record<string, string> = {}) =>
  tocsin(dir, ['apply', ...words], ({ stdin }) => stdin?.end(input), {
    ...{ DATABASE_URL: app.databaseUrl, SECRET_KEY, ...env },
  });

const declared = (port: number) => `organization: ${place.orgId}
projects:
  - name: Shop
    monitors:
      - name: Database
        type: tcp
        config: { host: db.example.com, port: ${port} }
webhooks:
  - { name: Tickets, kind: webhook, url: "https://tickets.example.com/\${TOKEN}", events: [opened] }
`;

test('it prints what would change, then changes it, and the second time nothing', async () => {
  writeFileSync(file, declared(5432));
  const TOKEN = 'abc';
  const changes = '+ monitor Shop/Database\n+ webhook webhook Tickets\n';
  const dry = await run(['-f', file, '--dry-run'], { TOKEN });
  assert.deepEqual([dry.code, dry.out], [0, changes]);
  assert.match(dry.err, /^A dry run, nothing was written: .*, 2 created, 1 unchanged\.$/m);
  const done = await run(['-f', file], { TOKEN });
  assert.equal(done.code, 0, done.err);
  assert.match(
    done.out,
    /^\+ monitor Shop\/Database\n\+ webhook webhook Tickets\nThe signing secret of webhook Tickets, shown only now: whsec_\S+\n$/,
  );
  assert.match(done.err, /^Applied: .*, 2 created, 1 unchanged\.$/m);
  const again = await run(['-f', file], { TOKEN });
  assert.deepEqual([again.code, again.out], [0, '']);
  assert.match(again.err, /^Applied: .*, 3 unchanged\.$/m);
  const monitors = await app.alice.ok<Monitor[]>('GET', `/projects/${place.projectId}/monitors`);
  assert.deepEqual(
    monitors.map(({ name }) => name),
    ['Database'],
  );
  const [entry] = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?action=monitor.create`,
  );
  assert.deepEqual([entry?.actor.kind, entry?.actor.name], ['operator', OPERATOR.name]);
});

test('a refused thing is named with file and line, and nothing is changed', async () => {
  writeFileSync(file, declared(5433).replace('events: [opened]', 'events: [open]'));
  const { code, out, err } = await run(['-f', file], { TOKEN: 'abc' });
  assert.deepEqual([code, out], [1, '']);
  assert.match(err, new RegExp(`^${file}:9: webhook webhook Tickets: events names "open"; `, 'm'));
  assert.match(err, /^Nothing was changed: 1 thing of the file cannot be applied\.$/m);
});

test('a missing variable and a missing file are named', async () => {
  const table: [string[], Record<string, string>, RegExp][] = [
    [
      ['-f', '-'],
      { input: declared(5433) },
      /^standard input: Line 9: The environment variable TOKEN is not set\.$/m,
    ],
    [['-f', join(dir, 'nowhere.yaml')], {}, /nowhere\.yaml cannot be read \(ENOENT\)\./],
  ];
  for (const [words, env, message] of table) {
    const { code, out, err } = await run(words, env);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, message);
  }
});

test('without a name among several organizations, or with two names, it asks which one is meant', async () => {
  const several = await run(['-f', '-'], { input: 'alert_profiles: []' });
  assert.equal(several.code, 2);
  assert.match(several.err, /several organizations; name one with --organization/);
  const other = await run(['-f', '-', '--organization', app.home.orgId], {
    input: `organization: ${place.orgId}`,
  });
  assert.equal(other.code, 2);
  assert.match(other.err, /--organization is .*, and the file is for /);
});

const calm = (consecutive: number) => ({
  alert_profiles: [{ name: 'Calm', alarm_consecutive: consecutive }, { name: 'Fine' }],
});

test('with --url it applies the file at a server elsewhere, with an API key', async () => {
  const { orgId } = await app.place();
  const { key } = await grantKey(app, orgId);
  const elsewhere = (...words: string[]) =>
    tocsin(
      dir,
      ['apply', '-f', '-', '--url', app.url, ...words],
      ({ stdin }) => stdin?.end(JSON.stringify(calm(3))),
      {
        TOCSIN_API_KEY: key,
      },
    );
  const done = await elsewhere();
  assert.deepEqual([done.code, done.out], [0, '+ alert profile Calm\n+ alert profile Fine\n'], done.err);
  assert.match((await elsewhere('--dry-run')).err, /^A dry run, nothing was written: .*, 2 unchanged\.$/m);
});

test('elsewhere a dry run changes nothing, a refused file has all its refusals, and prune deletes', async () => {
  const { orgId } = await app.place();
  const server = { url: `${app.url}/`, key: (await grantKey(app, orgId)).key };
  const asked = { organization: undefined, dryRun: false, prune: false };
  const outcomes = async (file: ConfigurationFile, more: Partial<typeof asked> = {}) =>
    (await applyRemotely(file, { ...asked, ...more }, server)).things.map(({ outcome }) => outcome);
  assert.deepEqual(await outcomes(calm(3), { dryRun: true }), ['created', 'created']);
  assert.deepEqual(await outcomes(calm(3)), ['created', 'created']);
  assert.deepEqual(await outcomes(calm(3)), ['unchanged', 'unchanged']);
  const wrong = await outcomes({ alert_profiles: [{ name: 'Calm', alarm_consecutive: 0 }, { name: ' ' }] });
  assert.deepEqual(wrong, ['refused', 'refused', 'not_in_file']);
  assert.deepEqual(await outcomes({ alert_profiles: [{ name: 'Fine' }] }, { prune: true }), [
    'unchanged',
    'deleted',
  ]);
});

test('a server that cannot be used gets a sentence, and so does a key that does not fit', async () => {
  const { orgId } = await app.place();
  const { key } = await grantKey(app, orgId);
  const narrow = await grantKey(app, orgId, { scopes: ['organization:write'] });
  const { url } = app;
  const asked = { organization: undefined, dryRun: false, prune: false };
  const table: [Server, ConfigurationFile, RegExp][] = [
    [
      { url: `http://127.0.0.1:${await closedPort()}`, key },
      {},
      /^Error: http:\/\/127\.0\.0\.1:\d+ does not answer: .*\.$/,
    ],
    [{ url: `${url}/app`, key }, {}, /^Error: http.*: There is nothing at GET \/app\/me\/organizations\.$/],
    [{ url, key: `${key}x` }, {}, /does not accept the key in TOCSIN_API_KEY\.$/],
    [{ url, key: narrow.key }, calm(3), /alert_profiles needs the scope monitors:write/],
    [{ url, key }, { organization: 'other' }, /is for the organization .*, not for other\.$/],
  ];
  for (const [server, file, message] of table)
    await assert.rejects(
      applyRemotely(file, asked, server),
      (error) => message.test(String(error)),
      String(message),
    );
  const { code, err } = await run(['-f', '-', '--url', 'ftp://tocsin.example.com']);
  assert.equal(code, 2);
  assert.match(err, /--url ftp:\/\/tocsin\.example\.com is no address like https:/);
});

test('with --print it prints the organization as a file that changes nothing', async () => {
  const { orgId } = await app.place();
  const { key } = await grantKey(app, orgId);
  const given = { input: 'alert_profiles: [{ name: Calm, alarm_consecutive: 4 }]' };
  assert.equal((await run(['-f', '-', '--organization', orgId], given)).code, 0);
  const printed = await run(['--print', '--organization', orgId]);
  assert.match(
    printed.out,
    /^# Applied to this organization again, .*\n# .*\norganization: \S+\nalert_profiles:\n {2}- name: Calm\n {4}alarm_consecutive: 4\n/,
  );
  const again = await run(['-f', '-'], { input: printed.out });
  assert.deepEqual([again.code, again.out], [0, ''], again.err);
  const elsewhere = await run(['--print', '--url', app.url], { TOCSIN_API_KEY: key });
  assert.equal(elsewhere.out, printed.out, elsewhere.err);
  assert.equal((await run(['--print', '-f', file])).code, 2);
});
