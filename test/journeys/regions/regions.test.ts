// What the operator does with regions and probe tokens (docs/rules/regions-and-probes.md#regions,
// docs/rules/regions-and-probes.md#tokens).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { AdministeredRegion, Region } from '#src/regions/contract.ts';
import { prepareLocalRegion } from '#src/regions/create.ts';
import { SECRET_KEY, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeProbe } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
const create = (fields: object = {}) => {
  made += 1;
  const body = { slug: `region-${made}`, name: `Region ${made}`, ...fields };
  return app.alice.ok<AdministeredRegion>('POST', '/admin/regions', body);
};
const patch = (slug: string, body: object) =>
  app.alice.ok<AdministeredRegion>('PATCH', `/admin/regions/${slug}`, body);
const listed = () => app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions');
const one = async (slug: string) => (await listed()).find((region) => region.slug === slug);
type Made = { token: string; id: string; command: string };
const newToken = (slug: string) => app.alice.ok<Made>('POST', `/admin/regions/${slug}/probe-tokens`);
const probeOf = ({ token }: Made, id = 'one') => makeProbe(app.url, token, app.clock, id);
const monitorIn = (slug: string) =>
  app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: `Monitor in ${slug}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    regions: [slug],
  });

test('a region is created with its rules, and can be chosen', async () => {
  const region = await create({
    slug: 'eu-west',
    name: '  EU West ',
    allow_private_targets: true,
    canaries: ['One.one.one.one:53', '192.0.2.1:443', '[2001:db8::1]:443', '192.0.2.1:443'],
  });
  const bare = { online: false, internal: false, monitor_count: 0, probes: [], probe_tokens: [] };
  assert.deepEqual(region, {
    ...bare,
    slug: 'eu-west',
    name: 'EU West',
    allow_private_targets: true,
    private_targets_by: 'operator',
    keep_private_responses: false,
    private_responses_by: 'default',
    canaries: ['one.one.one.one:53', '192.0.2.1:443', '[2001:db8::1]:443'],
  });
  const offered = await app.alice.ok<Region[]>('GET', '/regions');
  assert.deepEqual(
    offered.find(({ slug }) => slug === 'eu-west'),
    { slug: 'eu-west', name: 'EU West', online: false, internal: false },
  );
  await monitorIn('eu-west');
  assert.equal((await one('eu-west'))?.monitor_count, 1);
});

test('an invalid region is refused with its field', async () => {
  await create({ slug: 'taken' });
  const cases: [object, object][] = [
    [{ slug: 'taken' }, { status: 409, error: 'slug_taken', field: 'slug' }],
    [{ slug: 'local' }, { status: 409, error: 'slug_taken', field: 'slug' }],
    [{ slug: '' }, { status: 400, error: 'empty_slug', field: 'slug' }],
    ...['Up', 'a--b', '-a', 'a_b', 'a b', 'ü', 'a'.repeat(64)].map((slug): [object, object] => [
      { slug },
      { status: 400, error: 'invalid_request', field: 'slug' },
    ]),
    [{ name: ' ' }, { status: 400, error: 'empty_name', field: 'name' }],
    [
      { canaries: ['192.0.2.1:443', 'nowhere.example'] },
      { status: 400, error: 'invalid_target', field: 'canaries.1', reason: 'port_range' },
    ],
    [
      { canaries: ['gateway:53'] },
      { status: 400, error: 'invalid_target', field: 'canaries.0', reason: 'needs_two_labels' },
    ],
    [
      { canaries: Array(11).fill('192.0.2.1:1') },
      { status: 400, error: 'invalid_request', field: 'canaries' },
    ],
    [{ colour: 'red' }, { status: 400, error: 'invalid_request', field: 'colour' }],
  ];
  for (const [fields, refusal] of cases) {
    const body = { slug: 'fresh', name: 'Fresh', ...fields };
    const answer = await app.alice.send('POST', '/admin/regions', body);
    assertRefused(answer, refusal as Parameters<typeof assertRefused>[1], JSON.stringify(fields));
  }
  assert.equal(await one('fresh'), undefined);
});

test('a change keeps unnamed fields, and a region can be sent back as read', async () => {
  const region = await create({ canaries: ['192.0.2.1:443'] });
  const renamed = await patch(region.slug, { name: 'Else', canaries: null });
  assert.deepEqual(renamed, { ...region, name: 'Else' });
  assert.deepEqual(await patch(region.slug, renamed), renamed);
  assert.deepEqual((await patch(region.slug, { canaries: [] })).canaries, []);
  const other = await app.alice.send('PATCH', `/admin/regions/${region.slug}`, { slug: 'other' });
  assertRefused(other, { status: 400, error: 'invalid_request', field: 'slug' });
  const unknown = await app.alice.send('PATCH', '/admin/regions/nowhere', { name: 'X' });
  assertRefused(unknown, { status: 404, error: 'not_found' });
});

test('an internal region is no longer offered to monitors; those it checks stay', async () => {
  const { slug } = await create();
  const monitor = await monitorIn(slug);
  await patch(slug, { internal: true });
  const answer = await app.alice.send('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'No',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    regions: [slug],
  });
  assertRefused(answer, { status: 400, error: 'internal_region', field: 'regions' });
  assert.deepEqual((await probeOf(await newToken(slug)).assignments()).monitors[0]?.monitor_id, monitor.id);
});

test('a token is shown once, its command starts a probe, and its last characters identify it', async () => {
  const { slug } = await create();
  const token = await newToken(slug);
  assert.match(token.token, /^tcp_[A-Za-z0-9_-]{43}$/);
  assert.match(token.command, new RegExp(`^tocsin probe --url http://\\S+ --token ${token.token}$`));
  const unused = (await one(slug))?.probe_tokens;
  const created_at_unix = Math.floor(app.clock.ms() / 1000);
  const known = {
    id: token.id,
    created_at_unix,
    hint: token.token.slice(-4),
    max_probes: 3,
    bundled: false,
  };
  assert.deepEqual(unused, [{ ...known, last_used_at_unix: null }]);
  await probeOf(token, 'one').assignments();
  await probeOf(token, 'two').post([]);
  const region = await one(slug);
  assert.deepEqual(region?.probe_tokens, [{ ...known, last_used_at_unix: created_at_unix }]);
  assert.equal(region?.online, true);
  assert.deepEqual(region?.probes.map(({ probe_id, online }) => [probe_id, online]).sort(), [
    ['one', true],
    ['two', true],
  ]);
  assert.doesNotMatch(
    JSON.stringify(await app.db.selectFrom('probe_tokens').selectAll().execute()),
    new RegExp(token.token),
  );
});

test('a revoked token is refused from the next request on, and its waiting request is ended', async () => {
  const { slug } = await create();
  const [gone, kept] = [await newToken(slug), await newToken(slug)];
  const { revision, epoch } = await probeOf(gone).assignments();
  const waiting = probeOf(gone).ask({ since: revision, epoch, wait: 25 });
  const path = `/admin/regions/${slug}/probe-tokens/${gone.id}`;
  await app.alice.ok('DELETE', path);
  assertRefused(await waiting, { status: 401, error: 'unauthenticated' });
  assertRefused(await probeOf(gone).post([]), { status: 401, error: 'unauthenticated' });
  assert.equal((await probeOf(kept).post([])).status, 200);
  assertRefused(await app.alice.send('DELETE', path), { status: 404, error: 'not_found' });
  const elsewhere = `/admin/regions/local/probe-tokens/${kept.id}`;
  assertRefused(await app.alice.send('DELETE', elsewhere), { status: 404, error: 'not_found' });
});

test('changed rules and canaries reach a waiting probe', async () => {
  const { slug } = await create();
  const probe = probeOf(await newToken(slug));
  const first = await probe.assignments();
  assert.deepEqual([first.allow_private_targets, first.canaries], [false, []]);
  const waiting = probe.assignments({ since: first.revision, epoch: first.epoch, wait: 25 });
  await patch(slug, { allow_private_targets: true, canaries: ['192.0.2.1:443'] });
  const assigned = await waiting;
  assert.deepEqual(
    [assigned.allow_private_targets, assigned.canaries, assigned.full],
    [true, ['192.0.2.1:443'], false],
  );
});

test('the region without a name is shown nowhere', async () => {
  const slugs = [...(await listed()), ...(await app.alice.ok<Region[]>('GET', '/regions'))].map(
    ({ slug }) => slug,
  );
  assert.ok(slugs.includes('local') && !slugs.includes(''));
  const answer = await app.alice.send('PATCH', '/admin/regions/', { name: 'X' });
  assert.equal(answer.status, 404);
});

test('a start applies the configuration to the bundled region, and keeps the operator’s decisions', async () => {
  await patch('local', { name: 'Cellar', canaries: ['192.0.2.1:443'] });
  const { revision, epoch } = await app.probe().assignments();
  const waiting = app.probe().assignments({ since: revision, epoch, wait: 25 });
  const start = (usual: boolean) =>
    runWork(app.db, app.clock.now(), SYSTEM, (work) =>
      prepareLocalRegion(work, {
        privateTargets: { fixed: null, usual },
        secretKey: SECRET_KEY,
        earlierKeys: [],
      }),
    );
  await start(true);
  assert.equal((await app.probe().assignments()).revision, revision, 'nothing changed');
  await start(false);
  const { name, canaries, allow_private_targets } = (await one('local'))!;
  assert.deepEqual([name, canaries, allow_private_targets], ['Cellar', ['192.0.2.1:443'], false]);
  // The clock stands still: only the change can have ended it.
  assert.equal((await waiting).allow_private_targets, false);
});

test('the operator’s decision about private targets survives restarts, and the environment overrides it', async () => {
  const own = await startAppOfFile();
  const start = (fixed: boolean | null, usual: boolean) =>
    runWork(own.db, own.clock.now(), SYSTEM, (work) =>
      prepareLocalRegion(work, {
        privateTargets: { fixed, usual },
        secretKey: SECRET_KEY,
        earlierKeys: [],
      }),
    );
  const path = '/admin/regions/local';
  const change = (allow_private_targets: boolean) =>
    own.alice.send<AdministeredRegion>('PATCH', path, { allow_private_targets });
  const said = async () => {
    const region = await own.alice.ok<AdministeredRegion[]>('GET', '/admin/regions');
    const local = region.find(({ slug }) => slug === 'local');
    return [local?.allow_private_targets, local?.private_targets_by];
  };
  assert.deepEqual(await said(), [true, 'default']);
  await start(null, false);
  assert.deepEqual(await said(), [false, 'default']);
  await start(null, true);
  const shown = (await own.alice.ok<AdministeredRegion[]>('GET', '/admin/regions')).find(
    ({ slug }) => slug === 'local',
  );
  await own.alice.ok('PATCH', path, { ...shown, name: 'Sent back' });
  assert.deepEqual(await said(), [true, 'default'], 'what is sent back as it was read decides nothing');
  assert.equal((await change(false)).status, 200);
  for (const usual of [true, false, true]) {
    await start(null, usual);
    assert.deepEqual(await said(), [false, 'operator']);
  }
  await start(true, false);
  assert.deepEqual(await said(), [true, 'environment']);
  assertRefused(await change(false), {
    status: 400,
    error: 'invalid_request',
    field: 'allow_private_targets',
  });
  assert.equal((await change(true)).status, 200);
  await start(null, true);
  assert.deepEqual(await said(), [false, 'operator'], 'what was decided before counts again');
});

test('the operator’s changes to regions are in the log, under their name and without the token', async () => {
  const { slug } = await create();
  await patch(slug, { internal: true });
  const token = await newToken(slug);
  await app.alice.ok('DELETE', `/admin/regions/${slug}/probe-tokens/${token.id}`);
  const rows = await app.db
    .selectFrom('activity')
    .select(['action', 'actor_kind', 'actor_id', 'org_id', 'before', 'after'])
    .where('resource_id', 'in', [slug, token.id])
    .orderBy('id')
    .execute();
  assert.deepEqual(
    rows.map(({ action, actor_kind, actor_id, org_id }) => [action, actor_kind, actor_id, org_id]),
    ['region.create', 'region.update', 'probe_token.create', 'probe_token.revoke'].map((action) => [
      action,
      'operator',
      app.alice.userId,
      null,
    ]),
  );
  assert.doesNotMatch(JSON.stringify(rows), /tcp_/);
});

test('a choice that equals the default is a choice, and what was read and sent back is none', async () => {
  const { slug, ...read } = await create({});
  assert.deepEqual([read.keep_private_responses, read.private_responses_by], [false, 'default']);
  assert.equal((await patch(slug, { ...read, name: 'Else' })).private_responses_by, 'default');
  assert.equal((await patch(slug, { keep_private_responses: false })).private_responses_by, 'operator');

  await app.db
    .updateTable('regions')
    .set({ private_targets_choice: null, private_targets_fixed: false })
    .where('slug', '=', 'local')
    .execute();
  const local = (await one('local'))!;
  assert.equal(local.private_targets_by, 'default');
  assert.equal((await patch('local', local)).private_targets_by, 'default');
  const { allow_private_targets } = local;
  const chosen = await patch('local', { allow_private_targets });
  assert.deepEqual(
    [chosen.allow_private_targets, chosen.private_targets_by],
    [allow_private_targets, 'operator'],
  );
});
