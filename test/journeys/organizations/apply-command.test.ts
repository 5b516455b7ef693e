// `tocsin apply -f FILE` (docs/rules/configuration-files.md#the-command).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { OPERATOR } from '#src/cli/open-installation.ts';
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

test('a file from standard input, a missing variable, a missing file and a file that is no YAML', async () => {
  const table: [string[], Record<string, string>, RegExp][] = [
    [
      ['-f', '-'],
      { input: declared(5433) },
      /standard input: Line 9: The environment variable TOKEN is not set\./,
    ],
    [['-f', join(dir, 'nowhere.yaml')], {}, /nowhere\.yaml cannot be read \(ENOENT\)\./],
    [['-f', '-'], { input: 'projects: [' }, /standard input: Line 1: /],
    [['-f', '-'], { input: 'organization: nobody\nprojects: []' }, /There is no organization "nobody"\./],
  ];
  for (const [words, env, message] of table) {
    const { code, out, err } = await run(words, env);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, message);
  }
});

test('without a name among several organizations, or with two names, it asks which one is meant', async () => {
  const nameless = { input: 'alert_profiles: []' };
  const several = await run(['-f', '-'], nameless);
  assert.equal(several.code, 2);
  assert.match(several.err, /several organizations; name one with --organization/);
  const named = await run(['-f', '-', '--organization', place.orgId], nameless);
  assert.equal(named.code, 0, named.err);
  const other = await run(['-f', '-', '--organization', app.home.orgId], {
    input: `organization: ${place.orgId}`,
  });
  assert.equal(other.code, 2);
  assert.match(other.err, /--organization is .*, and the file is for /);
});

test('with --url it applies the file at a server elsewhere, with an API key', async () => {
  const { orgId } = await app.place();
  const { key } = await grantKey(app, orgId);
  const elsewhere = async (input: string, env: Record<string, string> = {}, ...words: string[]) =>
    tocsin(dir, ['apply', '-f', '-', '--url', app.url, ...words], ({ stdin }) => stdin?.end(input), {
      ...{ TOCSIN_API_KEY: key, ...env },
    });
  const profile = (consecutive: number) =>
    `alert_profiles:\n  - name: Calm\n    alarm_consecutive: ${consecutive}\n  - name: Fine\n`;
  const dry = await elsewhere(profile(3), {}, '--dry-run');
  assert.deepEqual([dry.code, dry.out], [0, '+ alert profile Calm\n+ alert profile Fine\n'], dry.err);
  const done = await elsewhere(profile(3));
  assert.deepEqual([done.code, done.out], [0, '+ alert profile Calm\n+ alert profile Fine\n'], done.err);
  assert.match((await elsewhere(profile(3))).err, /^Applied: .*, 2 unchanged\.$/m);

  const wrong = await elsewhere(profile(0));
  assert.deepEqual([wrong.code, wrong.out], [1, '']);
  assert.match(wrong.err, /^standard input:3: alert profile Calm: alarm_consecutive /m);
  const pruned = await elsewhere('alert_profiles: [{ name: Calm }]', {}, '--prune');
  assert.equal(pruned.out, '- alert profile Fine\n', pruned.err);

  const narrow = await grantKey(app, orgId, { scopes: ['organization:write'] });
  const table: [Awaited<ReturnType<typeof elsewhere>>, number, RegExp][] = [
    [await elsewhere(profile(3), { TOCSIN_API_KEY: '' }), 2, /needs an API key in TOCSIN_API_KEY/],
    [
      await elsewhere(profile(3), { TOCSIN_API_KEY: `${key}x` }),
      1,
      /does not accept the key in TOCSIN_API_KEY/,
    ],
    [
      await elsewhere(profile(3), { TOCSIN_API_KEY: narrow.key }),
      1,
      /alert_profiles needs the scope monitors:write/,
    ],
    [await elsewhere(`organization: other\n${profile(3)}`), 1, /is for the organization .*, not for other\./],
  ];
  for (const [{ code, err }, expected, message] of table) {
    assert.equal(code, expected, err);
    assert.match(err, message);
  }
});

test('an address without a Tocsin server gets a sentence', async () => {
  const port = await closedPort();
  const at = (url: string) =>
    tocsin(dir, ['apply', '-f', '-', '--url', url], ({ stdin }) => stdin?.end('alert_profiles: []'), {
      TOCSIN_API_KEY: 'x',
    });
  const table: [string, number, RegExp][] = [
    ['ftp://tocsin.example.com', 2, /--url ftp:\/\/tocsin\.example\.com is no address like https:/],
    [`http://127.0.0.1:${port}`, 1, /^http:\/\/127\.0\.0\.1:\d+ does not answer: .*\.$/m],
    [`${app.url}/app`, 1, /^http:.*: There is nothing at GET \/app\/me\/organizations\.$/m],
  ];
  for (const [url, code, message] of table) {
    const said = await at(url);
    assert.equal(said.code, code, said.err);
    assert.match(said.err, message);
  }
});

test('with --print it prints the organization as a file that changes nothing', async () => {
  const { orgId } = await app.place();
  const { key } = await grantKey(app, orgId);
  const given = { input: 'alert_profiles: [{ name: Calm, alarm_consecutive: 4 }]' };
  assert.equal((await run(['-f', '-', '--organization', orgId], given)).code, 0);
  const here = await run(['--print', '--organization', orgId]);
  assert.match(
    here.out,
    /^# Applied to this organization again, .*\n# .*\norganization: \S+\nalert_profiles:\n {2}- name: Calm\n {4}alarm_consecutive: 4\n/,
  );
  const again = await run(['-f', '-'], { input: here.out });
  assert.deepEqual([again.code, again.out], [0, ''], again.err);
  const elsewhere = await run(['--print', '--url', app.url], { TOCSIN_API_KEY: key });
  assert.equal(elsewhere.out, here.out, elsewhere.err);
  for (const words of [[], ['--print', '-f', file]]) assert.equal((await run(words)).code, 2);
});
