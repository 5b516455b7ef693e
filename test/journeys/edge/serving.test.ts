// Custom domains through a real Caddy: which names it serves, and what it does with all others.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { noCaddy } from '#test/harness/caddy.ts';
import { dropDomain, newDomain } from '#test/harness/custom-domain.ts';
import { served, startEdgeInstallation } from '#test/harness/edge.ts';
import { until } from '#test/harness/until.ts';
import { shakesHands, visit, visitByHttp2 } from '#test/harness/visit.ts';

const skip = noCaddy();

/** GET over plain http. */
const plainly = (name: string, port: number, path = '/') =>
  new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path, headers: { host: name }, agent: false }, (answer) => {
        answer.resume();
        resolve({ status: answer.statusCode ?? 0, location: answer.headers.location });
      })
      .on('error', reject);
  });

test('a verified domain is served over https with its own certificate, and nothing else is', {
  skip,
}, async (t) => {
  const edge = await startEdgeInstallation(t);
  const { app, ports } = edge;
  assert.equal(await shakesHands('status.example.test', ports.https), false, 'before it is verified');
  const first = await newDomain(app, 'status.example.test');
  const second = await newDomain(app, 'status.example.org', { place: await app.place() });
  await newDomain(app, 'pending.example.test', { status: 'pending' });
  await served(edge, first.id);
  await served(edge, second.id);

  const visitor = await edge.visitors();
  const answer = await visit(first.domain, visitor);
  assert.equal(answer.status, 200);
  assert.match(answer.body, new RegExp(`The page of ${first.domain}`));
  assert.doesNotMatch(answer.body, new RegExp(second.domain));
  assert.equal(answer.headers.via ?? answer.headers.server, 'Caddy');
  assert.match(String(answer.headers['alt-svc']), /h3=/);
  assert.match((await visit(second.domain, visitor)).body, new RegExp(`The page of ${second.domain}`));
  assert.equal(await visitByHttp2(first.domain, visitor), 200);
  await until(
    async () => (await visit(first.domain, visitor)).headers['strict-transport-security'] !== undefined,
    'browsers are to come by https alone, once there is a certificate',
  );
  // What only this machine is answered, a visitor is not, by whatever name.
  for (const path of ['/edge/ask?domain=status.example.test', '/app', '/metrics'])
    assert.equal((await visit(first.domain, { ...visitor, path })).status, 404, path);
  await assert.rejects(visit('status.example.test', { ...visitor, ca: '' }), /certificate|self.signed/i);

  for (const name of ['unknown.example.test', 'pending.example.test', 'www.status.example.test', null])
    assert.equal(await shakesHands(name, ports.https), false, String(name));
  // Somebody who shakes hands for one name and asks for another.
  assert.equal((await visit(first.domain, { ...visitor, host: 'unknown.example.test' })).status, 404);

  const { status, location } = await plainly(first.domain, ports.http, '/incidents?page=2');
  assert.deepEqual([status, location], [308, `https://${first.domain}:${ports.https}/incidents?page=2`]);
  for (const name of ['unknown.example.test', '127.0.0.1'])
    assert.equal((await plainly(name, ports.http)).status, 404, name);

  await dropDomain(app, first);
  await until(async () => !(await shakesHands(first.domain, ports.https)), 'the removed domain is gone');
  assert.equal((await plainly(first.domain, ports.http)).status, 404);
  assert.equal(await shakesHands(second.domain, ports.https), true, 'the other one stays');
});

test('a killed Caddy that started empty is configured again, and keeps its own admin listener', {
  skip,
}, async (t) => {
  const edge = await startEdgeInstallation(t);
  const { caddy, ports } = edge;
  const { id, domain } = await newDomain(edge.app, 'status.example.test');
  await served(edge, id);
  const before = await caddy.config();
  assert.deepEqual(before?.admin, { listen: new URL(caddy.adminUrl).host });
  await caddy.kill();
  await assert.rejects(visit(domain, { port: ports.https }), /ECONNREFUSED/);
  await caddy.start();
  // Its admin listener begins anew with each configuration: whoever asks at that moment is cut off.
  const isConfigured = async () => isDeepStrictEqual(await caddy.config().catch(() => null), before);
  await until(isConfigured, 'it is configured again');
  assert.ok(await shakesHands(domain, ports.https));
  // The same for one whose configuration somebody else has replaced.
  await caddy.load({ admin: before?.admin });
  await until(isConfigured, 'it is configured again');
  assert.ok(await shakesHands(domain, ports.https));
});

test('the host of BASE_URL is served too under https, with the whole installation', {
  skip,
}, async (t) => {
  const edge = await startEdgeInstallation(t, { env: { BASE_URL: 'https://tocsin.example.test' } });
  await until(() => shakesHands('tocsin.example.test', edge.ports.https), 'it is served');
  const visitor = await edge.visitors('/healthz');
  assert.equal((await visit('tocsin.example.test', visitor)).status, 200);
  const asked = await visit('tocsin.example.test', { ...visitor, path: '/metrics' });
  assert.equal(asked.status, 401, 'what this machine alone is answered, a visitor is not');
  const { status, location } = await plainly('tocsin.example.test', edge.ports.http, '/app');
  assert.deepEqual([status, location], [308, `https://tocsin.example.test:${edge.ports.https}/app`]);
});
