// A user who may edit monitors of one organization tries to read a private network, which another one reaches too, with "test
// now": JSON, headers, banners, records, certificates, redirects.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startProbe } from '#probe/start.ts';
import type { MonitorTestReport } from '#src/check-now/contract.ts';
import { type Person, type Place, startAppOfFile } from '../harness/app.ts';
import { authority } from '../harness/certificates.ts';
import { dnsServer } from '../harness/dns-server.ts';
import { httpServer, httpsServer, tcpServer } from '../harness/listeners.ts';

const SECRET = 'TOPSECRET-77c1';

async function scene(t: TestContext) {
  const app = await startAppOfFile();
  const { token } = await app.region('real');
  const dataDir = await mkdtemp(join(tmpdir(), 'probe-'));
  const probe = await startProbe({ url: app.url, token, dataDir, log: () => undefined });
  t.after(async () => {
    await probe.stop();
    await rm(dataDir, { recursive: true });
  });
  const asked = () => app.db.selectFrom('probes').select('asked_at').where('probe_id', '=', probe.probeId);
  while (!(await asked().executeTakeFirst())) await new Promise((resolve) => setImmediate(resolve));
  const attacker = await app.person('attacker');
  return { app, attacker, place: await app.place(attacker) };
}

async function spied(t: TestContext) {
  const http = await httpServer(t, (_, response) =>
    response.writeHead(200, { 'x-secret': SECRET }).end(JSON.stringify({ password: SECRET })),
  );
  const banner = await tcpServer(t, (socket) => {
    socket.on('error', () => undefined);
    socket.end(`${SECRET}\n`);
  });
  const json = { path: '$.password', op: 'eq', value: 'guess' };
  return [
    {
      type: 'http',
      config: {
        url: `http://127.0.0.1:${http}/`,
        keyword: { text: 'password' },
        json_assertions: [json],
        header_assertions: [{ name: 'x-secret', op: 'exists' }],
      },
    },
    { type: 'tcp', config: { host: '127.0.0.1', port: banner, expect: 'guess' } },
  ];
}

/** Checks whose failure is described in words that come from the target. */
async function quoted(t: TestContext) {
  const names = await dnsServer(t, ({ question }) => ({
    answers: [{ type: 'TXT', name: question.name, data: SECRET }],
  }));
  const issued = await (await authority(SECRET)).issue();
  const secured = await httpsServer(t, issued, (_, response) => response.end());
  const leading = await httpServer(t, (_, response) =>
    response.writeHead(302, { location: `${SECRET}:7` }).end(),
  );
  const [resolver, expected] = ['127.0.0.1', { mode: 'any', values: ['guess'] }];
  const dns = { host: 'a.example.com', record_type: 'TXT', resolver, port: names.port, expected };
  return [
    { type: 'dns', config: dns },
    { type: 'tls', config: { host: '127.0.0.1', port: secured } },
    { type: 'http', config: { url: `https://127.0.0.1:${secured}/` } },
    { type: 'http', config: { url: `http://127.0.0.1:${leading}/` } },
  ];
}

const tryNow = (person: Person, { projectId }: Place, body: object) =>
  person.ok<MonitorTestReport>('POST', `/projects/${projectId}/monitor-tests`, { ...body, region: 'real' });

test('for a private target that several organizations can reach only the verdict is shown', async (t) => {
  const { app, attacker, place } = await scene(t);
  for (const body of await spied(t)) {
    const report = await tryNow(attacker, place, body);
    assert.doesNotMatch(JSON.stringify(report), new RegExp(SECRET));
    assert.deepEqual([report.values_withheld, report.status], [true, 'down']);
    assert.ok(report.judgements.some(({ ok }) => !ok) && report.judgements.some(({ ok }) => ok));
    const operators = await tryNow(app.alice, app.home, body);
    assert.equal(operators.values_withheld, false);
    assert.match(JSON.stringify(operators), new RegExp(SECRET), 'it would have been there to be seen');
  }
});

test('no record, certificate or redirect of such a target is quoted in the reason of a failure', async (t) => {
  const { app, attacker, place } = await scene(t);
  for (const body of await quoted(t)) {
    const report = await tryNow(attacker, place, body);
    assert.doesNotMatch(JSON.stringify(report), new RegExp(SECRET, 'i'));
    assert.deepEqual([report.values_withheld, report.status], [true, 'down']);
    const operators = await tryNow(app.alice, app.home, body);
    assert.match(operators.detail ?? '', new RegExp(SECRET, 'i'), 'it would have been there to be seen');
  }
});

test('an outcome that does not say where it came from counts as private', async () => {
  const app = await startAppOfFile();
  const attacker = await app.person('attacker');
  const place = await app.place(attacker);
  const probe = app.probe();
  await probe.assignments();
  const body = { type: 'http', config: { url: 'https://shop.example.com/' } };
  const answer = async (said: object) => {
    const waiting = attacker.ok<MonitorTestReport>(
      'POST',
      `/projects/${place.projectId}/monitor-tests`,
      body,
    );
    let assigned = await probe.assignments();
    while (assigned.tests.length === 0)
      assigned = await probe.assignments({ since: assigned.revision, epoch: assigned.epoch, wait: 25 });
    const judgements = [{ what: 'Status', expected: '200', actual: SECRET, ok: true }];
    await fetch(`${app.url}/probe/test-results`, {
      method: 'POST',
      headers: { authorization: `Bearer ${probe.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        probe_id: 'probe-1',
        test_id: assigned.tests[0]?.test_id,
        observed: { status: 'up', latency_ms: 3 },
        judgements,
        ...said,
      }),
    });
    return (await waiting).judgements[0]?.actual;
  };
  assert.equal(await answer({}), '');
  assert.equal(await answer({ reached_private: true }), '');
  assert.equal(await answer({ reached_private: false }), SECRET);
});
