// Keys narrowed to projects or monitors (docs/rules/access.md#narrowed-keys): what they see is theirs, in lists
// too; the rest of their organization is 403.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { SCOPES } from '#src/api-keys/contract.ts';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { newId } from '#src/platform/ids.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type EventStream, openEventStream, type StreamEvent } from '#test/harness/event-stream.ts';
import { type KeyHolder, makeKeyHolder } from '#test/harness/keys.ts';
import { assertRefused } from '#test/harness/refused.ts';

const FORBIDDEN = { status: 403, error: 'forbidden' };
const UNKNOWN = { status: 404, error: 'not_found' };
const WRITES = SCOPES.filter((scope) => scope.endsWith(':write'));

/** Projects `shop` and `blog`, two monitors in each, an incident of every monitor and one that stands alone. */
type Estate = {
  orgId: string;
  shop: string;
  blog: string;
  monitors: { cart: string; pay: string; posts: string; feed: string };
  incidents: { cart: string; pay: string; posts: string; feed: string; alone: string };
  /** Narrowed to the project `shop`. */
  ofShop: KeyHolder;
  /** Narrowed to the monitor `posts`, in the project `blog`. */
  ofPosts: KeyHolder;
  /** Narrowed to both. */
  ofBoth: KeyHolder;
};

let app: TestApp;
let estate: Estate;
before(async () => {
  app = await startAppOfFile();
  estate = await makeEstate();
});

async function makeEstate(): Promise<Estate> {
  const { orgId, projectId: shop } = await app.place();
  const org = `/organizations/${orgId}`;
  const { id: blog } = await app.alice.ok<{ id: string }>('POST', `${org}/projects`, { name: 'Blog' });
  const monitors = {
    cart: await create(shop, 'Cart'),
    pay: await create(shop, 'Pay'),
    posts: await create(blog, 'Posts'),
    feed: await create(blog, 'Feed'),
  };
  const incidents = { cart: '', pay: '', posts: '', feed: '', alone: await standAlone(orgId, shop) };
  for (const name of ['cart', 'pay', 'posts', 'feed'] as const) {
    await fail(monitors[name]);
    const path = `/monitors/${monitors[name]}/incidents`;
    incidents[name] = (await app.alice.ok<IncidentSummary[]>('GET', path))[0]?.id ?? '';
  }
  const narrowed = (asked: { project_ids?: string[]; monitor_ids?: string[] }) =>
    makeKeyHolder(app, app.alice, orgId, { scopes: WRITES, ...asked });
  return {
    orgId,
    shop,
    blog,
    monitors,
    incidents,
    ofShop: await narrowed({ project_ids: [shop] }),
    ofPosts: await narrowed({ monitor_ids: [monitors.posts] }),
    ofBoth: await narrowed({ project_ids: [shop], monitor_ids: [monitors.posts] }),
  };
}

async function create(projectId: string, name: string): Promise<string> {
  const body = { name, type: 'http', config: { url: 'https://shop.example.com/' } };
  return (await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, body)).id;
}

async function fail(monitorId: string): Promise<void> {
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    await app.probe().says(monitorId, 'down');
  }
}

/** A manual incident without a monitor, of a project: it lies outside of every narrowed key. */
async function standAlone(orgId: string, projectId: string): Promise<string> {
  const id = newId('inc');
  await app.db
    .insertInto('incidents')
    .values({
      id,
      org_id: orgId,
      monitor_id: '',
      project_id: projectId,
      origin: 'manual',
      cause: 'Everything is slow',
      summary: 'Everything is slow',
      severity: 'default',
      status: 'open',
      down_regions: [],
      region_count: 0,
      started_at: app.clock.now(),
      created_at: app.clock.now(),
    })
    .execute();
  return id;
}

const idsOf = async (client: KeyHolder, path: string, field = 'id') =>
  (await client.ok<Record<string, string>[]>('GET', path)).map((item) => item[field]).sort();
const sorted = (...ids: string[]) => ids.sort();

test('the list of projects has its own projects, and those of its monitors', async () => {
  const { orgId, shop, blog, ofShop, ofPosts, ofBoth } = estate;
  const path = `/organizations/${orgId}/projects`;
  assert.deepEqual(await idsOf(ofShop, path), [shop]);
  assert.deepEqual(await idsOf(ofPosts, path), [blog]);
  assert.deepEqual(await idsOf(ofBoth, path), sorted(shop, blog));
});

for (const [list, field] of [
  ['monitors', 'id'],
  ['recent-checks', 'monitor_id'],
] as const)
  test(`the ${list} of a project are those of its own monitors`, async () => {
    const { shop, blog, monitors, ofShop, ofPosts, ofBoth } = estate;
    const [ofTheShop, ofTheBlog] = [`/projects/${shop}/${list}`, `/projects/${blog}/${list}`];
    assert.deepEqual(await idsOf(ofShop, ofTheShop, field), sorted(monitors.cart, monitors.pay));
    assertRefused(await ofShop.send('GET', ofTheBlog), FORBIDDEN);
    assert.deepEqual(await idsOf(ofPosts, ofTheBlog, field), [monitors.posts]);
    assertRefused(await ofPosts.send('GET', ofTheShop), FORBIDDEN);
    assert.deepEqual(await idsOf(ofBoth, ofTheShop, field), sorted(monitors.cart, monitors.pay));
    assert.deepEqual(await idsOf(ofBoth, ofTheBlog, field), [monitors.posts]);
  });

test('a page of monitors does not begin after a monitor outside its scope', async () => {
  const { blog, monitors, ofPosts } = estate;
  const path = `/projects/${blog}/monitors?before=`;
  assert.deepEqual(await ofPosts.ok('GET', path + monitors.posts), []);
  assertRefused(await ofPosts.send('GET', path + monitors.feed), FORBIDDEN);
  assertRefused(await ofPosts.send('GET', path + newId('mon')), UNKNOWN);
});

test('it reads its own monitors, their checks, series and incidents', async () => {
  const { monitors, ofShop, ofPosts, ofBoth } = estate;
  const own: [KeyHolder, string[], string[]][] = [
    [ofShop, [monitors.cart, monitors.pay], [monitors.posts, monitors.feed]],
    [ofPosts, [monitors.posts], [monitors.cart, monitors.pay, monitors.feed]],
    [ofBoth, [monitors.cart, monitors.pay, monitors.posts], [monitors.feed]],
  ];
  for (const [client, inside, outside] of own)
    for (const rest of ['', '/checks', '/series', '/incidents']) {
      for (const id of inside) await client.ok('GET', `/monitors/${id}${rest}`);
      for (const id of outside) assertRefused(await client.send('GET', `/monitors/${id}${rest}`), FORBIDDEN);
    }
});

test('the list of incidents has those of its monitors, and no standalone ones', async () => {
  const { orgId, incidents, ofShop, ofPosts, ofBoth } = estate;
  const path = `/organizations/${orgId}/incidents?status=all`;
  const { cart, pay, posts, alone } = incidents;
  assert.deepEqual(await idsOf(ofShop, path), sorted(cart, pay));
  assert.deepEqual(await idsOf(ofPosts, path), [posts]);
  assert.deepEqual(await idsOf(ofBoth, path), sorted(cart, pay, posts));
  const all = await app.alice.ok<{ id: string }[]>('GET', path);
  assert.ok(all.some(({ id }) => id === alone));
});

test('it pages through its own incidents, and not from one outside its scope', async () => {
  const { orgId, incidents, ofShop } = estate;
  const path = `/organizations/${orgId}/incidents?status=all`;
  const first = await ofShop.send<IncidentSummary[]>('GET', `${path}&limit=1`);
  const [, next = ''] = /<(.+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
  const ids = [...first.body, ...(await ofShop.ok<IncidentSummary[]>('GET', next))].map(({ id }) => id);
  assert.deepEqual(ids, [incidents.pay, incidents.cart]);
  for (const outside of [incidents.feed, incidents.alone])
    assertRefused(await ofShop.send('GET', `${path}&before=${outside}`), FORBIDDEN);
  for (const unknown of [newId('inc'), 'inc_x'])
    assertRefused(await ofShop.send('GET', `${path}&before=${unknown}`), UNKNOWN);
});

test('it cannot read, acknowledge or resolve an incident outside its scope', async () => {
  const { orgId, incidents, ofPosts } = estate;
  const path = `/organizations/${orgId}/incidents`;
  const operations = [
    ['GET', ''],
    ['GET', '/timeline'],
    ['POST', '/ack'],
    ['POST', '/resolve'],
  ] as const;
  for (const [method, rest] of operations) {
    for (const outside of [incidents.cart, incidents.feed, incidents.alone])
      assertRefused(await ofPosts.send(method, `${path}/${outside}${rest}`), FORBIDDEN, `${method} ${rest}`);
    for (const unknown of [newId('inc'), 'inc_x'])
      assertRefused(await ofPosts.send(method, `${path}/${unknown}${rest}`), UNKNOWN);
  }
  const untouched = await app.alice.ok<{ lifecycle_state: string }>('GET', `${path}/${incidents.feed}`);
  assert.equal(untouched.lifecycle_state, 'triggered');
  for (const [method, rest] of operations) await ofPosts.ok(method, `${path}/${incidents.posts}${rest}`);
});

test('an incident outside its scope is 403 before the body or the query is read', async () => {
  const { orgId, incidents, ofPosts } = estate;
  const path = `/organizations/${orgId}/incidents/${Object.values(incidents)[0]}`;
  const forbidden = { status: 403, error: 'forbidden' };
  assertRefused(await ofPosts.send('POST', `${path}/ack`, { nonsense: true }), forbidden);
  assertRefused(await ofPosts.send('GET', `${path}?nonsense=1`), forbidden);
});

test('it can change its own project and monitors, and no others', async () => {
  const { shop, blog, monitors, ofShop, ofPosts } = estate;
  const body = { name: 'New', type: 'http', config: { url: 'https://shop.example.com/' } };
  const { id } = await ofShop.ok<Monitor>('POST', `/projects/${shop}/monitors`, body);
  await ofShop.ok('DELETE', `/monitors/${id}`);
  await ofShop.ok('PATCH', `/projects/${shop}`, { name: 'Shop' });
  await ofPosts.ok('PATCH', `/monitors/${monitors.posts}`, { name: 'Posts' });
  const outside: [KeyHolder, string, string, unknown?][] = [
    [ofShop, 'POST', `/projects/${blog}/monitors`, body],
    [ofShop, 'PATCH', `/projects/${blog}`, { name: 'Mine' }],
    [ofShop, 'DELETE', `/projects/${blog}`],
    [ofShop, 'PATCH', `/monitors/${monitors.posts}`, { enabled: false }],
    [ofShop, 'DELETE', `/monitors/${monitors.posts}`],
    // Who may see a monitor may see its project, and change nothing of it.
    [ofPosts, 'POST', `/projects/${blog}/monitors`, body],
    [ofPosts, 'PATCH', `/projects/${blog}`, { name: 'Mine' }],
    [ofPosts, 'DELETE', `/projects/${blog}`],
    [ofPosts, 'PATCH', `/monitors/${monitors.feed}`, { enabled: false }],
  ];
  for (const [client, method, path, sent] of outside)
    assertRefused(await client.send(method, path, sent), FORBIDDEN, `${method} ${path}`);
});

test('it cannot change resources of the whole organization, and their lists are empty', async () => {
  const { orgId, ofShop } = estate;
  const org = `/organizations/${orgId}`;
  const target = { name: 'Hook', kind: 'webhook', url: 'https://hooks.example.com/', events: ['opened'] };
  const hook = await app.alice.ok<{ id: string }>('POST', `${org}/webhooks`, target);
  assert.deepEqual(await ofShop.ok('GET', `${org}/webhooks`), []);
  const refused: [string, string, unknown?][] = [
    ['PATCH', org, { name: 'Mine' }],
    ['POST', `${org}/projects`, { name: 'Mine' }],
    ['POST', `${org}/webhooks`, target],
    ['PATCH', `${org}/webhooks/${hook.id}`, { active: false }],
    ['DELETE', `${org}/webhooks/${hook.id}`],
    ['POST', `${org}/webhooks/${hook.id}/test`],
    ['POST', `${org}/webhooks/${hook.id}/rotate-secret`],
    ['GET', `${org}/webhooks/${hook.id}/deliveries`],
  ];
  for (const [method, path, body] of refused)
    assertRefused(await ofShop.send(method, path, body), FORBIDDEN, `${method} ${path}`);
});

test('a narrowed key cannot link an incident to a status page, or unlink one', async () => {
  const { orgId, incidents, ofShop, ofBoth } = estate;
  const page = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/status-pages`, {
    name: 'Not for keys',
  });
  const path = `/organizations/${orgId}/incidents/${incidents.cart}/status-pages`;
  for (const key of [ofShop, ofBoth])
    for (const method of ['PUT', 'DELETE']) {
      const refused = await key.send(method, `${path}/${page.id}`);
      assertRefused(refused, FORBIDDEN);
      assert.ok(!JSON.stringify(refused.body).includes('Not for keys'));
    }
  assert.deepEqual(await ofShop.ok('GET', path), []);
});

test('a narrowed key cannot set an alert profile, but can send the current one back', async () => {
  const { orgId, shop, monitors, ofShop } = estate;
  const profiles = `/organizations/${orgId}/alert-profiles`;
  const make = (name: string) =>
    app.alice.ok<{ id: string }>('POST', profiles, { name, alarm_min_duration_seconds: 120 });
  const [ours, other] = [await make('Ours'), await make('Other')];
  const refusal = { ...FORBIDDEN, field: 'policy.alert_profile_id' };
  const path = `/monitors/${monitors.pay}`;
  const body = { policy: { alert_profile_id: ours.id } };
  assertRefused(await ofShop.send('PATCH', path, body), refusal);
  const created = { name: 'New', type: 'http', config: { url: 'http://127.0.0.1/' }, ...body };
  assertRefused(await ofShop.send('POST', `/projects/${shop}/monitors`, created), refusal);
  await app.alice.ok('PATCH', path, body);
  assert.equal((await ofShop.send('PATCH', path, body)).status, 200);
  assertRefused(await ofShop.send('PATCH', path, { policy: { alert_profile_id: other.id } }), refusal);
});

test('it sees its own organization among its organizations', async () => {
  const { orgId, ofPosts } = estate;
  assert.deepEqual(await idsOf(ofPosts, '/me/organizations'), [orgId]);
});

test('the live stream has only its own monitors, even after it is resumed', async () => {
  const { orgId, shop, blog, monitors, ofShop, ofPosts, ofBoth } = await makeEstate();
  const url = `${app.url}/organizations/${orgId}/events`;
  const whole = await openEventStream(url, app.alice.cookie(), '0');
  const [shopNow, postsNow, bothNow, shopAll, postsAll] = await Promise.all([
    openEventStream(url, ofShop.headers),
    openEventStream(url, ofPosts.headers),
    openEventStream(url, ofBoth.headers),
    openEventStream(url, ofShop.headers, '0'),
    openEventStream(url, ofPosts.headers, '0'),
  ]);
  const streams = [whole, shopNow, postsNow, bothNow, shopAll, postsAll];
  try {
    await fail(await create(shop, 'Shipping'));
    await fail(await create(blog, 'Drafts'));
    // What each of them is told last, so that nothing can still be on its way.
    await app.alice.ok('PATCH', `/monitors/${monitors.cart}`, { name: 'Cart anew' });
    await app.alice.ok('PATCH', `/monitors/${monitors.posts}`, { name: 'Posts anew' });
    const isLast = (monitorId: string) => (event: StreamEvent) =>
      event.data.monitor_id === monitorId && event.data.change === 'updated';
    for (const stream of [shopNow, shopAll]) await stream.next(isLast(monitors.cart));
    for (const stream of [whole, postsNow, postsAll, bothNow]) await stream.next(isLast(monitors.posts));

    const idsIn = (stream: EventStream, fits: (event: StreamEvent) => boolean) =>
      stream.events.filter(fits).map(({ id }) => id);
    // Alarms ring for people.
    const inShop = ({ event, data }: StreamEvent) => event !== 'alarm' && data.project_id === shop;
    const ofThePosts = ({ event, data }: StreamEvent) =>
      event !== 'alarm' && data.monitor_id === monitors.posts;
    const since = ({ id }: StreamEvent) => Number(id) >= Number(shopNow.events[0]?.id);
    const all = () => true;
    assert.deepEqual(idsIn(shopAll, all), idsIn(whole, inShop));
    assert.deepEqual(idsIn(postsAll, all), idsIn(whole, ofThePosts));
    assert.deepEqual(
      idsIn(shopNow, all),
      idsIn(whole, (e) => since(e) && inShop(e)),
    );
    assert.deepEqual(
      idsIn(postsNow, all),
      idsIn(whole, (e) => since(e) && ofThePosts(e)),
    );
    assert.deepEqual(
      idsIn(bothNow, all),
      idsIn(whole, (e) => since(e) && (inShop(e) || ofThePosts(e))),
    );
    assert.ok(shopAll.events.some(({ event }) => event === 'incident'));
  } finally {
    for (const stream of streams) stream.stop();
  }
});

test('it sees the activity of its projects, its monitors and their incidents', async () => {
  const { orgId, shop, monitors, incidents, ofShop, ofPosts, ofBoth } = await makeEstate();
  const org = `/organizations/${orgId}`;
  await app.alice.ok('PATCH', `/projects/${shop}`, { name: 'Shop anew' });
  for (const id of [incidents.pay, incidents.posts, incidents.feed])
    await app.alice.ok('POST', `${org}/incidents/${id}/ack`);
  const gone = await create(shop, 'Gone');
  await app.alice.ok('DELETE', `/monitors/${gone}`);
  const seen = async (client: KeyHolder) =>
    (await client.ok<ActivityEntry[]>('GET', `${org}/activity`))
      .map(({ action, resource }) => `${action} ${resource.id}`)
      .sort();
  const ofTheShop = [
    `project.create ${shop}`,
    `project.rename ${shop}`,
    `monitor.create ${monitors.cart}`,
    `monitor.create ${monitors.pay}`,
    `monitor.create ${gone}`,
    `monitor.delete ${gone}`,
    `incident.acknowledge ${incidents.pay}`,
  ];
  const ofThePosts = [`monitor.create ${monitors.posts}`, `incident.acknowledge ${incidents.posts}`];
  assert.deepEqual(await seen(ofShop), [...ofTheShop].sort());
  assert.deepEqual(await seen(ofPosts), [...ofThePosts].sort());
  assert.deepEqual(await seen(ofBoth), [...ofTheShop, ...ofThePosts].sort());
  const all = await app.alice.ok<ActivityEntry[]>('GET', `${org}/activity?action=incident`);
  const outside = all.find(({ resource }) => resource.id === incidents.feed)?.id;
  assertRefused(await ofShop.send('GET', `${org}/activity?before=${outside}`), UNKNOWN);
});

test('a key whose monitor or project was deleted sees nothing, not everything', async () => {
  const { orgId, blog } = estate;
  const org = `/organizations/${orgId}`;
  const { id: projectId } = await app.alice.ok<{ id: string }>('POST', `${org}/projects`, { name: 'Brief' });
  const monitorId = await create(blog, 'Brief');
  const asked = { scopes: WRITES, monitor_ids: [monitorId], project_ids: [projectId] };
  const robot = await makeKeyHolder(app, app.alice, orgId, asked);
  await app.alice.ok('DELETE', `/monitors/${monitorId}`);
  await app.alice.ok('DELETE', `/projects/${projectId}`);
  assert.deepEqual(await robot.ok('GET', `${org}/projects`), []);
  assert.deepEqual(await robot.ok('GET', `${org}/incidents?status=all`), []);
  assertRefused(await robot.send('GET', `/projects/${blog}/monitors`), FORBIDDEN);
  assertRefused(await robot.send('GET', `/monitors/${monitorId}`), UNKNOWN);
});
