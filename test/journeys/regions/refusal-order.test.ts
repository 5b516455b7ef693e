// Who is let in, and in which order one is told otherwise: 401, 404, 403, 402, 400
// (docs/rules/errors-and-conventions.md#order-of-refusals).
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
let place: Place;
let monitor: Monitor;
let bob: Person;
let carol: Person;
let hers: Place;
let hook: { id: string };
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
  bob = await app.person('bob', { [place.orgId]: 'member' });
  carol = await app.person('carol');
  hers = await app.place(carol);
  const body = { name: 'One', type: 'http', config: { url: 'https://shop.example.com/' } };
  monitor = await app.alice.ok('POST', `/projects/${place.projectId}/monitors`, body);
  const target = { name: 'Hook', kind: 'webhook', url: 'https://hooks.example.com/x', events: ['opened'] };
  hook = await app.alice.ok('POST', `/organizations/${place.orgId}/webhooks`, target);
});

const UNKNOWN = '01h455vb4pex5vsknk084sn02q';

/** Operations with a resource in the path: which right they need, and a body that is wrong. */
const operations = (at = place, monitorId = monitor.id, hookId = hook.id) =>
  [
    ['GET', `/organizations/${at.orgId}/projects`, 'member'],
    ['POST', `/organizations/${at.orgId}/projects`, 'manager'],
    ['PATCH', `/projects/${at.projectId}`, 'manager'],
    ['DELETE', `/projects/${at.projectId}`, 'manager'],
    ['GET', `/projects/${at.projectId}/monitors`, 'member'],
    ['POST', `/projects/${at.projectId}/monitors`, 'manager'],
    ['GET', `/projects/${at.projectId}/recent-checks`, 'member'],
    ['GET', `/monitors/${monitorId}`, 'member'],
    ['PATCH', `/monitors/${monitorId}`, 'manager'],
    ['DELETE', `/monitors/${monitorId}`, 'manager'],
    ['GET', `/monitors/${monitorId}/checks`, 'member'],
    ['GET', `/monitors/${monitorId}/series`, 'member'],
    ['GET', `/monitors/${monitorId}/incidents`, 'member'],
    ['GET', `/organizations/${at.orgId}/incidents`, 'member'],
    ['GET', `/organizations/${at.orgId}/events`, 'member'],
    ['GET', `/organizations/${at.orgId}/webhooks`, 'manager'],
    ['POST', `/organizations/${at.orgId}/webhooks`, 'manager'],
    ['PATCH', `/organizations/${at.orgId}/webhooks/${hookId}`, 'manager'],
    ['DELETE', `/organizations/${at.orgId}/webhooks/${hookId}`, 'manager'],
    ['POST', `/organizations/${at.orgId}/webhooks/${hookId}/test`, 'manager'],
    ['POST', `/organizations/${at.orgId}/webhooks/${hookId}/rotate-secret`, 'manager'],
    ['GET', `/organizations/${at.orgId}/webhooks/${hookId}/deliveries`, 'manager'],
  ] as const;
const CHANGES = new Set(['POST', 'PATCH']);
const bodyOf = (method: string) => (CHANGES.has(method) ? { nonsense: true } : undefined);

test('without a credential everything answers 401, including unknown resources and invalid bodies', async () => {
  const unknown: Place = { orgId: `org_${UNKNOWN}`, projectId: `prj_${UNKNOWN}` };
  const all = [...operations(), ...operations(unknown, `mon_${UNKNOWN}`, `wht_${UNKNOWN}`)];
  for (const [method, path] of all) {
    const answer = await app.visitor().send(method, path, bodyOf(method));
    assertRefused(answer, { status: 401, error: 'unauthenticated' }, `${method} ${path}`);
  }
});

test('an unread body does not prevent the 401 to a visitor', async () => {
  for (const body of ['{', 'x'.repeat(2_000_000)]) {
    const answer = await app.visitor().send('POST', `/projects/${place.projectId}/monitors`, body);
    assertRefused(answer, { status: 401, error: 'unauthenticated' });
  }
});

test('an unknown resource is 404 for everybody signed in, before the body is read', async () => {
  const unknown: Place = { orgId: `org_${UNKNOWN}`, projectId: `prj_${UNKNOWN}` };
  for (const [method, path] of operations(unknown, `mon_${UNKNOWN}`, `wht_${UNKNOWN}`)) {
    const answer = await carol.send(method, path, bodyOf(method));
    assertRefused(answer, { status: 404, error: 'not_found' }, `${method} ${path}`);
  }
});

const MALFORMED = [
  'x',
  '..',
  '%00',
  '%2e%2e%2f',
  "'",
  'mon_',
  `mon_${UNKNOWN.toUpperCase()}`,
  `MON_${UNKNOWN}`,
  `mon_${UNKNOWN}0`,
  `mon_8${UNKNOWN.slice(1)}`,
  `prj_${UNKNOWN}`,
  `mon_${UNKNOWN} `,
  'a'.repeat(300),
  '%F0%9F%94%94',
  '0',
  'null',
];
test('a malformed id is an unknown resource', async () => {
  for (const id of MALFORMED)
    for (const path of [
      `/monitors/${id}`,
      `/monitors/${id}/series`,
      `/projects/${id}/monitors`,
      `/organizations/${id}/incidents`,
    ]) {
      const answer = await app.alice.send('GET', path);
      assertRefused(answer, { status: 404, error: 'not_found' }, path);
    }
});

test('an id with broken percent-encoding is an unknown resource', async () => {
  for (const path of ['/monitors/%', '/monitors/%zz', '/monitors/%ff%fe']) {
    const answer = await app.alice.send('GET', path);
    assertRefused(answer, { status: 404, error: 'not_found' }, path);
  }
});

test('a resource of another organization is 403, before the body is read', async () => {
  for (const [method, path] of operations()) {
    const answer = await carol.send(method, path, bodyOf(method));
    assertRefused(answer, { status: 403, error: 'forbidden' }, `${method} ${path}`);
  }
});

test('a member may read and not write: 403 before the body is read', async () => {
  for (const [method, path, right] of operations()) {
    if (path.endsWith('/events')) continue;
    const answer = await bob.send(method, path, bodyOf(method));
    if (right === 'member') assert.equal(answer.status, 200, `${method} ${path}`);
    else assertRefused(answer, { status: 403, error: 'forbidden' }, `${method} ${path}`);
  }
});

test('a manager and an admin may do more than a member', async () => {
  for (const role of ['manager', 'admin'] as const) {
    const person = await app.person(role, { [place.orgId]: role });
    await person.ok('PATCH', `/monitors/${monitor.id}`, { enabled: true });
    await person.ok('GET', `/organizations/${place.orgId}/webhooks`);
  }
});

test('a removed member is locked out from the next request on', async () => {
  const dave = await app.person('dave', { [place.orgId]: 'member' });
  await dave.ok('GET', `/monitors/${monitor.id}`);
  await app.db.deleteFrom('members').where('user_id', '=', dave.userId).execute();
  assertRefused(await dave.send('GET', `/monitors/${monitor.id}`), { status: 403, error: 'forbidden' });
});

test('the plan is checked before the body, and the operation before either', async () => {
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', place.orgId).execute();
  for (const slug of ['o-one', 'o-two', 'o-three', 'o-four']) await app.region(slug);
  const regions = ['o-one', 'o-two', 'o-three', 'o-four'];
  assertRefused(await carol.send('PATCH', `/monitors/${monitor.id}`, { regions }), {
    status: 403,
    error: 'forbidden',
  });
  const answer = await app.alice.send('PATCH', `/monitors/${monitor.id}`, { regions });
  const tooMany = { status: 402, error: 'too_many_regions', field: 'regions', limit: 3 };
  assertRefused(answer, tooMany);
  for (const wrong of [{ name: '' }, { type: 'x' }, { slug: 'other' }, { nonsense: true }, { config: 7 }]) {
    const changed = await app.alice.send('PATCH', `/monitors/${monitor.id}`, { regions, ...wrong });
    assertRefused(changed, tooMany, JSON.stringify(wrong));
    const created = {
      name: 'Two',
      type: 'http',
      config: { url: 'https://a.example.com/' },
      regions,
      ...wrong,
    };
    const answered = await app.alice.send('POST', `/projects/${place.projectId}/monitors`, created);
    assertRefused(answered, tooMany, JSON.stringify(wrong));
  }
  const unknown = { regions: [...regions.slice(1), 'o-five'] };
  assertRefused(await app.alice.send('PATCH', `/monitors/${monitor.id}`, unknown), tooMany);
  await app.db
    .updateTable('organizations')
    .set({ plan: 'unlimited' })
    .where('id', '=', place.orgId)
    .execute();
});

test('a child that is not under the parent in the path is 404, even for a person who owns the parent', async () => {
  const paths = [
    ['PATCH', `/organizations/${hers.orgId}/webhooks/${hook.id}`],
    ['DELETE', `/organizations/${hers.orgId}/webhooks/${hook.id}`],
    ['POST', `/organizations/${hers.orgId}/webhooks/${hook.id}/test`],
    ['POST', `/organizations/${hers.orgId}/webhooks/${hook.id}/rotate-secret`],
    ['GET', `/organizations/${hers.orgId}/webhooks/${hook.id}/deliveries`],
    ['POST', `/organizations/${hers.orgId}/webhooks/${hook.id}/deliveries/dlv_${UNKNOWN}/replay`],
    ['GET', `/organizations/${hers.orgId}/incidents/inc_${UNKNOWN}`],
    ['POST', `/organizations/${hers.orgId}/incidents/inc_${UNKNOWN}/ack`],
    ['POST', `/organizations/${hers.orgId}/incidents/inc_${UNKNOWN}/resolve`],
    ['GET', `/organizations/${hers.orgId}/incidents/inc_${UNKNOWN}/timeline`],
    ['GET', `/organizations/${hers.orgId}/incidents?before=inc_${UNKNOWN}`],
    ['GET', `/projects/${hers.projectId}/monitors?before=${monitor.id}`],
  ] as const;
  for (const [method, path] of paths)
    assertRefused(
      await carol.send(method, path, method === 'PATCH' ? {} : undefined),
      { status: 404, error: 'not_found' },
      path,
    );
  assert.equal((await app.alice.ok<unknown[]>('GET', `/organizations/${place.orgId}/webhooks`)).length, 1);
});

test('an unknown child is 404 before the body or the query is read', async () => {
  const at = `/organizations/${place.orgId}`;
  for (const [method, path] of [
    ['PATCH', `${at}/webhooks/wht_${UNKNOWN}`],
    ['DELETE', `${at}/webhooks/wht_${UNKNOWN}`],
    ['POST', `${at}/webhooks/wht_${UNKNOWN}/test`],
    ['POST', `${at}/webhooks/wht_${UNKNOWN}/rotate-secret`],
    ['POST', `${at}/webhooks/wht_${UNKNOWN}/deliveries/dlv_${UNKNOWN}/replay`],
    ['POST', `${at}/webhooks/${hook.id}/deliveries/dlv_${UNKNOWN}/replay`],
    ['POST', `${at}/incidents/inc_${UNKNOWN}/ack`],
    ['POST', `${at}/incidents/inc_${UNKNOWN}/resolve`],
    ['PATCH', `${at}/members/usr_${UNKNOWN}`],
    ['DELETE', `${at}/members/usr_${UNKNOWN}`],
    ['DELETE', `${at}/invitations/inv_${UNKNOWN}`],
    ['DELETE', `${at}/api-keys/key_${UNKNOWN}`],
  ] as const)
    for (const body of [{ nonsense: true }, '{', 'x'.repeat(2_000_000)]) {
      const answer = await app.alice.send(method, path, body);
      assertRefused(answer, { status: 404, error: 'not_found' }, `${method} ${path}`);
    }
  for (const path of [
    `${at}/webhooks/wht_${UNKNOWN}/deliveries?nonsense=1`,
    `${at}/incidents/inc_${UNKNOWN}?nonsense=1`,
    `${at}/incidents/inc_${UNKNOWN}/timeline?nonsense=1`,
  ])
    assertRefused(await app.alice.send('GET', path), { status: 404, error: 'not_found' }, path);
  const text = { 'content-type': 'text/plain' };
  const path = `${at}/webhooks/wht_${UNKNOWN}`;
  assertRefused(await app.alice.send('PATCH', path, 'x', text), { status: 404, error: 'not_found' });
  assertRefused(await app.alice.send('PATCH', `${at}/webhooks/${hook.id}`, 'x', text), {
    status: 415,
    error: 'unsupported_media_type',
  });
});

test('a member with a higher role is out of reach before the body is read', async () => {
  const admin = await app.person('admin', { [place.orgId]: 'admin' });
  for (const [method, body] of [
    ['PATCH', { nonsense: true }],
    ['PATCH', '{'],
    ['DELETE', { nonsense: true }],
  ] as const) {
    const path = `/organizations/${place.orgId}/members/${app.alice.userId}`;
    assertRefused(await admin.send(method, path, body), { status: 403, error: 'forbidden' });
  }
});

test('a request with a Bearer credential never falls back to the cookie', async () => {
  const headers = { authorization: 'Bearer tcn_0000000000000000000000000000000000000000000000' };
  assertRefused(await app.alice.send('GET', `/monitors/${monitor.id}`, undefined, headers), {
    status: 401,
    error: 'unauthenticated',
  });
  for (const authorization of ['Bearer', 'bearer x', 'BEARER  tcn_x']) {
    const answer = await app.alice.send('GET', `/monitors/${monitor.id}`, undefined, { authorization });
    assertRefused(answer, { status: 401, error: 'unauthenticated' }, authorization);
  }
});

test('a proxy’s Basic credential does not disable the session', async () => {
  const headers = { authorization: 'Basic YWxpY2U6eA==' };
  assert.equal((await app.alice.send('GET', `/monitors/${monitor.id}`, undefined, headers)).status, 200);
});

test('sign-in routes accept no Bearer beside the cookie, and exist under one spelling only', async () => {
  const bearer = { authorization: 'Bearer x' };
  assertRefused(await app.alice.send('GET', '/auth/get-session', undefined, bearer), {
    status: 401,
    error: 'key_not_accepted',
  });
  for (const path of [
    '/auth/get-session/',
    '/auth//get-session',
    '/auth/reset-password/abc',
    '/auth/update-user',
  ])
    assertRefused(await app.alice.send('GET', path), { status: 404, error: 'not_found' }, path);
});

test('a dotted spelling of the sign-up path reaches nothing', async () => {
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const options = {
      method: 'POST',
      path: '/auth/x/../sign-up/email',
      headers: { 'content-type': 'application/json' },
    };
    const sent = httpRequest(app.url, options, (response) => resolve(response.resume().statusCode));
    sent
      .on('error', reject)
      .end(JSON.stringify({ email: 'x@example.com', password: 'long enough', name: 'X' }));
  });
  assert.equal(answer, 404);
});

test('an unsafe request with the cookie from another origin is refused, with any other headers', async () => {
  for (const credential of [null, 'Basic YWxpY2U6eA==']) {
    const headers: Record<string, string> = { origin: 'http://evil.example' };
    if (credential !== null) headers.authorization = credential;
    const answer = await app.alice.send('PATCH', `/monitors/${monitor.id}`, { name: 'Theirs' }, headers);
    assertRefused(answer, { status: 403, error: 'forbidden' });
  }
});

test('an operation without keys refuses a key with that reason', async () => {
  const headers = { authorization: 'Bearer tcn_0000000000000000000000000000000000000000000000' };
  for (const [method, path] of [
    ['POST', '/organizations'],
    ['POST', `/organizations/${place.orgId}/projects`],
  ] as const) {
    const answer = await app.alice.send(method, path, method === 'POST' ? { name: 'X' } : undefined, headers);
    assert.equal(answer.status, 401, path);
  }
  const answer = await app.alice.send('POST', '/organizations', { name: 'X' }, headers);
  assertRefused(answer, { status: 401, error: 'key_not_accepted' });
});

test('a probe token opens only the probe protocol, which no session opens', async () => {
  const { token } = app.probe();
  const headers = { authorization: `Bearer ${token}` };
  assertRefused(await app.visitor().send('GET', `/monitors/${monitor.id}`, undefined, headers), {
    status: 401,
    error: 'unauthenticated',
  });
  assert.equal((await app.visitor().send('GET', '/me/organizations', undefined, headers)).status, 401);
  assertRefused(await app.alice.send('GET', '/probe/assignments'), { status: 401, error: 'unauthenticated' });
  assertRefused(await app.alice.send('POST', '/probe/results', { probe_id: 'x', results: [] }), {
    status: 401,
    error: 'unauthenticated',
  });
  const wrong = { authorization: `Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` };
  assertRefused(await app.visitor().send('GET', '/probe/assignments', undefined, wrong), {
    status: 401,
    error: 'unauthenticated',
  });
});

test('a write with the cookie from another origin is refused, a read and a write from the same origin are not', async () => {
  const path = `/monitors/${monitor.id}`;
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example.com' },
    { origin: 'null' },
    { origin: app.url.replace('http:', 'https:').replace(/\d+$/, '1') },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ];
  for (const headers of foreign) {
    for (const method of ['PATCH', 'DELETE'])
      assertRefused(
        await app.alice.send(method, path, method === 'PATCH' ? {} : undefined, headers),
        { status: 403, error: 'forbidden' },
        JSON.stringify(headers),
      );
    assert.equal((await app.alice.send('GET', path, undefined, headers)).status, 200);
  }
  assert.equal((await app.alice.send('PATCH', path, {}, { origin: app.url })).status, 200);
  assert.equal(
    (await app.alice.send('POST', '/auth/sign-out', {}, { origin: 'https://evil.example.com' })).status,
    403,
  );
  await app.alice.ok('GET', path);
});

test('unknown paths and methods answer 404 in the common error shape', async () => {
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['POST', '/monitors'],
    ['PUT', `/monitors/${monitor.id}`],
    ['GET', '/auth/nothing'],
    ['GET', '/'],
    ['DELETE', '/organizations'],
    ['GET', `/monitors/${monitor.id}/`],
    ['GET', '//monitors'],
    ['GET', '/probe'],
  ] as const) {
    const answer = await app.alice.send(method, path);
    assertRefused(answer, { status: 404, error: 'not_found' }, `${method} ${path}`);
  }
});

test('unknown and repeated query parameters are refused by name', async () => {
  for (const [path, field] of [
    [`/monitors/${monitor.id}?expand=1`, 'expand'],
    [`/monitors/${monitor.id}/checks?limt=5`, 'limt'],
    [`/monitors/${monitor.id}/checks?limit=0`, 'limit'],
    [`/monitors/${monitor.id}/checks?limit=1001`, 'limit'],
    [`/monitors/${monitor.id}/checks?limit=ten`, 'limit'],
    [`/monitors/${monitor.id}/checks?limit=5&limit=6`, 'limit'],
    [`/monitors/${monitor.id}/checks?before=-1`, 'before'],
    [`/monitors/${monitor.id}/checks?before=99999999999999999999`, 'before'],
    [`/monitors/${monitor.id}/series?range=1h`, 'range'],
    [`/monitors/${monitor.id}/series?range=`, 'range'],
    [`/monitors/${monitor.id}/series?series_metric=cpu`, 'series_metric'],
    [`/organizations/${place.orgId}/incidents?status=ajar`, 'status'],
    ['/regions?x', 'x'],
    ['/regions?__proto__=x', '__proto__'],
    [`/organizations/${place.orgId}/incidents?__proto__=x`, '__proto__'],
  ] as const)
    assertRefused(await app.alice.send('GET', path), { status: 400, error: 'invalid_request', field }, path);
});

test('an unknown child is 404 before the role is judged, and before the plan', async () => {
  const at = `/organizations/${place.orgId}`;
  for (const [method, path] of [
    ['PATCH', `${at}/webhooks/wht_${UNKNOWN}`],
    ['DELETE', `${at}/maintenance-windows/mwn_${UNKNOWN}`],
    ['POST', `${at}/incidents/inc_${UNKNOWN}/discard`],
  ] as const)
    assertRefused(await bob.send(method, path), { status: 404, error: 'not_found' }, `${method} ${path}`);
  const poor = await app.place(app.alice, 'free');
  const postmortem = `/organizations/${poor.orgId}/incidents/inc_${UNKNOWN}/postmortem`;
  assertRefused(await app.alice.send('PUT', postmortem, {}), { status: 404, error: 'not_found' });
  // Whoever does not belong to it is not told what is there.
  assertRefused(await carol.send('PUT', postmortem, {}), { status: 403, error: 'forbidden' });
});
