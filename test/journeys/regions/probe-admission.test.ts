// Probes are known by name: a token lets in the first ones that come with it, the operator the others, and only who was
// let in is given monitors, secrets and a say.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { MAX_WAITING } from '#src/regions/admission.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeMany } from '#test/harness/many-monitors.ts';
import { makeProbe, type Probe, resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { until } from '#test/harness/until.ts';

const SHUT_OUT = { status: 403, error: 'forbidden' };

let app: TestApp;
let lasting: Awaited<ReturnType<typeof ownRegion>>;
before(async () => {
  app = await startAppOfFile();
  lasting = await ownRegion(3);
});

let made = 0;
/** A region with four monitors, and a token that lets in so many. */
async function ownRegion(maxProbes: number): Promise<{ slug: string; probe: Probe; ids: string[] }> {
  made += 1;
  const slug = `admitted-${made}`;
  const probe = await app.region(slug, { maxProbes });
  const config = { url: 'https://shop.example.com/', auth: { kind: 'bearer', token: 'top secret' } };
  const ids = await makeMany(app, { count: 4, region: slug, place: await app.place(), config });
  return { slug, probe, ids };
}
const seen = async (slug: string) => {
  const regions = await app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions');
  return regions.find((region) => region.slug === slug)!;
};
const admissions = async (slug: string) =>
  Object.fromEntries((await seen(slug)).probes.map(({ probe_id, admission }) => [probe_id, admission]));
const decide = (slug: string, id: string, admission: string) =>
  app.alice.ok('PATCH', `/admin/regions/${slug}/probes/${id}`, { admission });
/** What is known of a probe is asked at most every 5 s. */
const later = () => app.clock.advance(5_000);

test('a token admits its number of probes, and the next one waits and is told so', async () => {
  const { slug, probe, ids } = await ownRegion(2);
  await probe.named('one').assignments();
  await probe.named('two').post([]);
  const third = probe.named('three');
  for (const answer of [await third.ask(), await third.post([resultOf(ids[0]!, app.clock.ms(), 'down')])]) {
    assertRefused(answer, SHUT_OUT);
    assert.match(JSON.stringify(answer.body), new RegExp(`tocsin region admit ${slug} three`));
  }
  assert.deepEqual(await admissions(slug), { one: 'admitted', two: 'admitted', three: 'waiting' });
});

test('an admitted probe has a share from then on, and loses it when it is refused', async () => {
  const { slug, probe, ids } = await ownRegion(1);
  const [one, two] = [probe.named('one'), probe.named('two')];
  await one.assignments();
  await two.ask();
  await decide(slug, 'two', 'admitted');
  const shares = [await one.assignments(), await two.assignments()];
  assert.equal(shares[0]!.monitors.length + shares[1]!.monitors.length >= ids.length, true);
  const waiting = one.assignments({ since: shares[0]!.revision, epoch: shares[1]!.epoch, wait: 25 });
  const shutOut = two.ask({ since: shares[1]!.revision, epoch: shares[1]!.epoch, wait: 25 });
  await decide(slug, 'two', 'refused');
  assert.equal((await waiting).monitors.length, ids.length, 'the other one has everything at once');
  assertRefused(await shutOut, SHUT_OUT);
  later();
  assertRefused(await two.post([resultOf(ids[0]!, app.clock.ms(), 'down')]), SHUT_OUT);
});

test('thirty fake probes get no work, and only some of them are stored', async () => {
  const { slug, probe, ids } = await ownRegion(1);
  await probe.named('honest').assignments();
  for (let i = 0; i < 30; i++) assertRefused(await probe.named(`ghost-${i}`).ask(), SHUT_OUT);
  assert.equal((await probe.named('honest').assignments()).monitors.length, ids.length);
  const { probes } = await seen(slug);
  assert.equal(probes.filter(({ admission }) => admission === 'waiting').length, MAX_WAITING);
});

test('probes that arrive at once with one token are admitted one by one', async () => {
  const { slug, probe } = await ownRegion(1);
  const names = ['a', 'b', 'c', 'd'];
  await Promise.all(names.map((name) => probe.named(name).ask()));
  const all = Object.values(await admissions(slug));
  assert.equal(all.filter((admission) => admission === 'admitted').length, 1);
});

test('a refused name keeps its place at the token, a removed one frees it for a waiting probe', async () => {
  const { slug, probe } = await ownRegion(1);
  await probe.named('one').assignments();
  await decide(slug, 'one', 'refused');
  assertRefused(await probe.named('two').ask(), SHUT_OUT);
  await app.alice.ok('DELETE', `/admin/regions/${slug}/probes/one`);
  await probe.named('two').assignments();
  assert.deepEqual(await admissions(slug), { two: 'admitted' });
});

test('a name is bound to its token while that is valid, and may use another one afterwards', async () => {
  const { slug, probe } = await ownRegion(1);
  await probe.named('one').assignments();
  const path = `/admin/regions/${slug}/probe-tokens`;
  const made = await app.alice.ok<{ token: string }>('POST', path, { max_probes: 1 });
  const other = makeProbe(app.url, made.token, app.clock);
  await other.named('own').assignments();
  assertRefused(await other.named('one').ask(), SHUT_OUT);
  const [first] = (await seen(slug)).probe_tokens;
  await app.alice.ok('DELETE', `${path}/${first!.id}`);
  await other.named('one').assignments();
});

test('a token admits three by default, and never none', async () => {
  const { slug } = await ownRegion(1);
  const path = `/admin/regions/${slug}/probe-tokens`;
  const { token } = await app.alice.ok<{ token: string }>('POST', path);
  const probe = makeProbe(app.url, token, app.clock);
  for (const name of ['a', 'b', 'c']) await probe.named(name).assignments();
  assertRefused(await probe.named('d').ask(), SHUT_OUT);
  assertRefused(await app.alice.send('POST', path, { max_probes: 0 }), {
    status: 400,
    error: 'invalid_request',
    field: 'max_probes',
  });
});

test('the operator’s decisions about probes are in the log', async () => {
  const { slug, probe } = await ownRegion(1);
  await probe.named('logged').assignments();
  await decide(slug, 'logged', 'refused');
  await decide(slug, 'logged', 'admitted');
  await app.alice.ok('DELETE', `/admin/regions/${slug}/probes/logged`);
  const rows = await app.db
    .selectFrom('activity')
    .select(['action', 'actor_kind'])
    .where('resource_id', '=', 'logged')
    .orderBy('id')
    .execute();
  assert.deepEqual(
    rows.map(({ action, actor_kind }) => `${actor_kind} ${action}`),
    ['operator probe.refuse', 'operator probe.admit', 'operator probe.remove'],
  );
});

test('the bundled probe’s revoked token is invalid, and the server names the next one', async () => {
  const renewed: string[] = [];
  app.app.onLocalProbeToken((token) => renewed.push(token));
  const local = app.probe();
  await local.assignments();
  const bundled = (await seen('local')).probe_tokens.find((token) => token.bundled);
  assert.equal(bundled?.max_probes, null);
  await app.alice.ok('DELETE', `/admin/regions/local/probe-tokens/${bundled?.id}`);
  assertRefused(await local.ask(), { status: 401, error: 'unauthenticated' });
  await until(() => renewed.length > 0, 'the next token');
  assert.notEqual(renewed[0], local.token);
  await makeProbe(app.url, renewed[0]!, app.clock).assignments();
  // Another server, or the next start, agrees, and does not bring the old one back.
  await using node = await app.another();
  assertRefused(await makeProbe(node.url, local.token, app.clock).ask(), {
    status: 401,
    error: 'unauthenticated',
  });
  await makeProbe(node.url, renewed[0]!, app.clock).assignments();
});

// The last ones: alice's session has ended by then.
test('a refused name stays refused after the nightly clean-up', async () => {
  const { slug, probe } = await ownRegion(1);
  await probe.named('one').assignments();
  await probe.named('two').ask();
  await decide(slug, 'two', 'refused');
  for (let night = 0; night < 3; night++) {
    app.clock.advance(86_400_000);
    await app.runTask('sweep');
  }
  assertRefused(await probe.named('two').ask(), SHUT_OUT);
});

test('a refused name that keeps calling is not forgotten, however long ago it was refused', async () => {
  const { slug, probe } = lasting;
  const bad = probe.named('bad');
  await bad.assignments();
  await app.db.updateTable('probes').set({ admission: 'refused' }).where('probe_id', '=', 'bad').execute();
  for (let day = 0; day < 40; day += 10) {
    app.clock.advance(10 * 86_400_000);
    assertRefused(await bad.ask(), SHUT_OUT);
  }
  await probe.named('newcomer').assignments();
  assertRefused(await bad.ask(), SHUT_OUT);
  assertRefused(await bad.post([]), SHUT_OUT);
  app.clock.advance(31 * 86_400_000);
  await probe.named('another').assignments();
  const left = await app.db
    .selectFrom('probes')
    .innerJoin('regions', 'regions.no', 'probes.region_no')
    .select('probe_id')
    .where('slug', '=', slug)
    .execute();
  assert.deepEqual(
    left.map(({ probe_id }) => probe_id),
    ['another'],
  );
});
