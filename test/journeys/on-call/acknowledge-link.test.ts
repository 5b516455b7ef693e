// The one-click acknowledgement of an alarm mail: a page that asks, and changes nothing until its button is pressed.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentDetail, TimelineEntry } from '#src/incidents/contract.ts';
import { findAcknowledgeLink, makeAcknowledgeLink } from '#src/user-notifications/acknowledge-links.ts';
import { makeAlarm } from '#test/harness/alarms.ts';
import { type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Scene = { orgId: string; anna: Person; alarmNo: number; incidentIds: string[]; token: string };

async function scene(causes?: string[], on: TestApp = app): Promise<Scene> {
  const { orgId } = await on.place();
  const anna = await on.person('anna', { [orgId]: 'member' });
  const alarm = await makeAlarm(on, orgId, causes);
  return { orgId, anna, ...alarm, token: await linkFor(orgId, anna, alarm.alarmNo, on) };
}

async function linkFor(
  orgId: string,
  { userId }: Person,
  alarmNo: number,
  on: TestApp = app,
): Promise<string> {
  const token = await makeAcknowledgeLink(on.db, on.clock.now(), { orgId, userId, alarmNo });
  assert.ok(token);
  return token;
}

async function page(method: string, token: string, headers: Record<string, string> = {}, on: TestApp = app) {
  const response = await fetch(`${on.url}/ack/${token}`, { method, headers, redirect: 'manual' });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const incidentsOf = ({ orgId, incidentIds }: Scene) =>
  Promise.all(
    incidentIds.map((id) => app.alice.ok<IncidentDetail>('GET', `/organizations/${orgId}/incidents/${id}`)),
  );

test('programs that only fetch the link change nothing: GET, HEAD, again and again', async () => {
  const s = await scene();
  for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
    const { status, text } = await page(method, s.token, {
      'sec-purpose': 'prefetch',
      'user-agent': 'scanner',
    });
    assert.equal(status, 200);
    if (method === 'HEAD') assert.equal(text, '');
  }
  assert.equal((await incidentsOf(s))[0]?.lifecycle_state, 'triggered');
  assert.equal((await findAcknowledgeLink(app.db, s.token))?.usedAt, null);
});

test('the page names the alarm and the person, without scripts, and is neither cached nor indexed', async () => {
  const s = await scene(['Nobody can pay', 'Nobody can sign in']);
  const { text, headers } = await page('GET', s.token);
  assert.match(text, /<html lang="en">/);
  assert.match(text, /These 2 incidents of Place [0-9a-f]+ are acknowledged in your name:/);
  assert.match(text, /Nobody can pay.*Nobody can sign in/s);
  assert.match(text, new RegExp(`You act as anna \\(${s.anna.email}\\)`));
  assert.match(text, /<form method="post"><button type="submit">Acknowledge<\/button><\/form>/);
  assert.doesNotMatch(text, /<script| src=/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('x-robots-tag') ?? '', /noindex/);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.equal(headers.get('set-cookie'), null);
});

test('the button acknowledges every open incident of the alarm as that person, once', async () => {
  const s = await scene(['One', 'Two', 'Three']);
  const [, , third = ''] = s.incidentIds;
  await app.alice.ok('POST', `/organizations/${s.orgId}/incidents/${third}/ack`);
  const { status, text } = await page('POST', s.token, {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.equal(status, 200);
  assert.match(text, /2 incidents are acknowledged/);
  assert.match(text, new RegExp(`href="/app/o/${s.orgId}/incidents"`));
  const incidents = await incidentsOf(s);
  assert.deepEqual(
    incidents.map(({ acknowledged_by_email, commander_email }) => [acknowledged_by_email, commander_email]),
    [
      [s.anna.email, s.anna.email],
      [s.anna.email, s.anna.email],
      [app.alice.email, app.alice.email],
    ],
  );
  const timeline = await app.alice.ok<TimelineEntry[]>(
    'GET',
    `/organizations/${s.orgId}/incidents/${s.incidentIds[0]}/timeline`,
  );
  assert.equal(timeline.find(({ kind }) => kind === 'acknowledged')?.actor_name, 'anna');
  const recorded = await app.db
    .selectFrom('activity')
    .select(['action', 'actor_kind', 'address', 'after'])
    .where('org_id', '=', s.orgId)
    .where('actor_id', '=', s.anna.userId)
    .execute();
  assert.deepEqual(recorded, [
    {
      action: 'incident.acknowledge',
      actor_kind: 'user',
      address: '127.0.0.1',
      after: { lifecycle_state: 'acknowledged', by_link: true, incidents: s.incidentIds.slice(0, 2) },
    },
  ]);
  for (const method of ['POST', 'GET']) {
    const again = await page(method, s.token);
    assert.equal(again.status, 410);
    assert.match(again.text, /This link was already used/);
  }
});

test('two clicks at once acknowledge it once', async () => {
  const s = await scene();
  const statuses = (await Promise.all([1, 2, 3].map(() => page('POST', s.token)))).map(
    ({ status }) => status,
  );
  assert.deepEqual(statuses.sort(), [200, 410, 410]);
  const acknowledged = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM incident_timeline
    WHERE incident_id = ${s.incidentIds[0]} AND kind = 'acknowledged'`.execute(app.db);
  assert.equal(acknowledged.rows[0]?.n, 1);
});

test('an alarm that another person acknowledged, an expired link, an unknown one, one of an ex-member, of a viewer: each says so', async () => {
  const inTime = await scene();
  await app.alice.ok('POST', `/organizations/${inTime.orgId}/incidents/${inTime.incidentIds[0]}/ack`);
  const left = await scene();
  await app.alice.ok('DELETE', `/organizations/${left.orgId}/members/${left.anna.userId}`);
  const viewing = await scene();
  await app.alice.ok('PATCH', `/organizations/${viewing.orgId}/members/${viewing.anna.userId}`, {
    role: 'viewer',
  });
  const old = await scene();
  const cases: [string, number, RegExp, RegExp][] = [
    [inTime.token, 410, /The alarm is over/, /Der Alarm ist vorbei/],
    [left.token, 403, /no longer a member/, /kein Mitglied mehr/],
    [viewing.token, 403, /become a viewer/, /Betrachter der Organisation geworden/],
    ['x'.repeat(43), 404, /link does not exist/, /gibt es nicht/],
    ['short', 404, /link does not exist/, /gibt es nicht/],
    ['%00', 404, /link does not exist/, /gibt es nicht/],
  ];
  for (const [token, status, english, german] of cases)
    for (const method of ['GET', 'POST']) {
      const answer = await page(method, token);
      assert.deepEqual([token, answer.status], [token, status]);
      assert.match(answer.text, english);
      assert.match((await page(method, token, { 'accept-language': 'de-DE,de;q=0.9' })).text, german);
    }
  app.clock.advance(24 * 3_600_000);
  for (const method of ['GET', 'POST']) {
    const answer = await page(method, old.token);
    assert.equal(answer.status, 410);
    assert.match(answer.text, /This link has expired/);
  }
  for (const each of [left, viewing, old])
    assert.equal((await incidentsOf(each))[0]?.lifecycle_state, 'triggered');
});

test('other people’s texts are escaped and limited, in German too', async () => {
  const s = await scene([
    `<img src=x onerror=alert(1)>"'{person}`,
    'x'.repeat(5000),
    ...Array(30).fill('More'),
  ]);
  const { text, headers } = await page('GET', s.token, { 'accept-language': 'de' });
  assert.match(text, /<html lang="de">/);
  assert.equal(headers.get('content-language'), 'de');
  assert.match(text, /Diese 32 Störungen/);
  assert.match(text, /und 12 weitere/);
  assert.match(text, /&#60;img src=x onerror=alert\(1\)&#62;&#34;&#39;\{person\}/);
  assert.doesNotMatch(text, /<img/);
  assert.ok(text.length < 20_000);
});

test('what Tocsin found is in the language of the page, what a person wrote is not', async () => {
  const s = await scene(['Connection refused (2 of 3 regions)', 'Die Kasse brennt']);
  const { text } = await page('GET', s.token, { 'accept-language': 'de' });
  assert.match(text, /Verbindung abgelehnt \(2 von 3 Regionen\)/);
  assert.match(text, /Die Kasse brennt/);
  assert.match((await page('GET', s.token)).text, /Connection refused \(2 of 3 regions\)/);
});

test('cookies do not count: a click acts as the link’s person, whoever is signed in', async () => {
  const s = await scene();
  const cookie = 'better-auth.session_token=whatever';
  const foreign = await page('POST', s.token, { cookie, origin: 'https://evil.example' });
  assert.equal(foreign.status, 403);
  assert.equal((await incidentsOf(s))[0]?.lifecycle_state, 'triggered');
  assert.equal((await page('POST', s.token, { cookie, origin: app.url })).status, 200);
  assert.equal((await incidentsOf(s))[0]?.acknowledged_by_email, s.anna.email);
});

test('only a hash of the token is stored', async () => {
  const s = await scene();
  const { rows } = await sql<{ whole: string }>`
    SELECT l::text AS whole FROM acknowledge_links l WHERE alarm_no = ${s.alarmNo}`.execute(app.db);
  assert.ok(rows[0] && !rows[0].whole.includes(s.token));
});

test('guesses at tokens are limited by address, and refused with a page', async () => {
  await using own = await startTestApp({ env: { RATE_LIMITS: 'on' } });
  let last = await page('GET', 'x', {}, own);
  for (let count = 0; count < 60 && last.status !== 429; count++) last = await page('GET', 'x', {}, own);
  assert.equal(last.status, 429);
  assert.match(last.text, /Too many requests/);
  assert.match(last.headers.get('retry-after') ?? '', /^\d+$/);
});
