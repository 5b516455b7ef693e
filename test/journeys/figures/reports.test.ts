// Reports over HTTP: their figures are those of each monitor's own page, to the digit, whatever happened to it
// (docs/rules/figures.md#reports).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { HoursOfWeek } from '#src/charts/contract.ts';
import { cutPercent } from '#src/domain/percent.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Report } from '#src/reports/contract.ts';
import { readReport } from '#src/reports/read.ts';
import type { Series } from '#src/series/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Client } from '#test/harness/client.ts';
import { countStatements } from '#test/harness/counted-statements.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import { putMaintenance } from '#test/harness/maintenance-row.ts';
import { naiveUptime } from '#test/harness/naive-uptime.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { newPage } from '#test/harness/status-page.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.runTask('partitions');
});

let made = 0;
function create(fields: object = {}, { projectId }: Pick<Place, 'projectId'> = app.home): Promise<Monitor> {
  made += 1;
  const body = { name: `M ${made}`, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok('POST', `/projects/${projectId}/monitors`, { ...body, ...fields });
}

const pathOf = (query: string, orgId = app.home.orgId, ending = '') =>
  `/organizations/${orgId}/report${ending}?${query}`;
const reportOf = (query: string, by: Client = app.alice, orgId = app.home.orgId) =>
  by.ok<Report>('GET', pathOf(query, orgId));
const rowOf = ({ monitors }: Report, { id }: Monitor) =>
  monitors.find((row) => row.monitor_id === id) ?? assert.fail('it is not in the report');
const seriesOf = ({ id }: Monitor, range: string) =>
  app.alice.ok<Series>('GET', `/monitors/${id}/series?range=${range}`);

/** A passing result every minute of the last `agoMs`. */
async function history(monitor: Monitor, agoMs: number): Promise<void> {
  const sent = Array.from({ length: Math.floor(agoMs / MINUTE_MS) }, (_, i) =>
    resultOf(monitor.id, app.clock.ms() - agoMs + i * MINUTE_MS, 'up'),
  );
  for (let i = 0; i < sent.length; i += 4000) await app.probe().post(sent.slice(i, i + 4000));
}

/** The range of the last `agoMs`, which ends now. */
const since = (agoMs: number) => {
  const from = Math.floor((app.clock.ms() - agoMs) / 1000);
  return `from_unix=${from}&to_unix=${from + Math.floor(agoMs / 1000) + 3600}`;
};

test('uptime and coverage equal the monitor’s own series, whatever happened and whichever server rolled up', async () => {
  const property = fc.asyncProperty(fc.gen(), async (draw) => {
    const int = (min: number, max: number) => draw(fc.integer, { min, max });
    const monitors = [
      await create({ tags: ['mixed'] }),
      await create({ tags: ['mixed'], interval_seconds: 600 }),
    ];
    const post = (monitor: Monitor, howMany: number, maxAgoMs: number) =>
      app.probe().post(
        Array.from({ length: howMany }, () =>
          resultOf(monitor.id, app.clock.ms() - int(0, maxAgoMs), {
            ...(int(0, 5) === 0 ? { status: 'down', cause_layer: 'probe' } : { status: 'up' }),
          } as never),
        ),
      );
    for (const monitor of monitors) await post(monitor, 40, 80 * DAY_MS);
    for (let step = 0; step < 10; step++) {
      app.clock.advance(int(1, 90 * MINUTE_MS));
      const monitor = monitors[int(0, 1)]!;
      await post(monitor, int(1, 40), int(0, 1) === 0 ? HOUR_MS : 30 * DAY_MS);
      const fromMs = app.clock.ms() - int(1, 5 * HOUR_MS);
      const untilMs = Math.min(app.clock.ms(), fromMs + int(1, 3 * HOUR_MS));
      if (step % 3 === 0)
        await putIncident(app, monitor, {
          fromMs,
          toMs: untilMs,
          origin: 'automatic',
          discarded: int(0, 1) === 0,
        });
      else if (step % 3 === 1) await putMaintenance(app, monitor, { fromMs, untilMs });
      else await app.runTask('roll_up');
    }
    for (const range of ['1d', '7d', '30d', '90d']) {
      const series = await Promise.all(monitors.map((monitor) => seriesOf(monitor, range)));
      const { from_unix, to_unix } = series[0]!;
      const report = await reportOf(`tag=mixed&from_unix=${from_unix}&to_unix=${to_unix + 600}`);
      for (const [i, monitor] of monitors.entries()) {
        const { uptime_time_pct, coverage_pct } = rowOf(report, monitor);
        const { stats } = series[i]!;
        assert.deepEqual(
          { uptime_time_pct, coverage_pct },
          { uptime_time_pct: stats.uptime_time_pct, coverage_pct: stats.coverage_pct },
          `${range} of monitor ${i}`,
        );
      }
    }
    // And of ranges that no page has.
    const toUnix = Math.floor(app.clock.ms() / 1000) - int(0, 86_400);
    const fromUnix = toUnix - int(1, 3 * 86_400);
    const report = await reportOf(`tag=mixed&from_unix=${fromUnix}&to_unix=${toUnix}`);
    for (const monitor of monitors)
      assert.equal(
        rowOf(report, monitor).uptime_time_pct,
        await naiveUptime(app, monitor.id, { fromMs: fromUnix * 1000, untilMs: toUnix * 1000 }),
      );
    for (const { id } of monitors) await app.alice.ok('DELETE', `/monitors/${id}`);
  });
  await fc.assert(property, { numRuns: 2, endOnFailure: true });
});

test('downtime, maintenance, unknown time and false alarms are exact to the second and add up to the whole range', async () => {
  app.clock.advance(1000 - (app.clock.ms() % 1000));
  const monitor = await create({ tags: ['named'] });
  await history(monitor, 10 * HOUR_MS);
  const now = app.clock.ms();
  const outage = (agoMs: number, lastsMs: number, more: object = {}) =>
    putIncident(app, monitor, {
      ...{ fromMs: now - agoMs, toMs: now - agoMs + lastsMs, origin: 'automatic' as const },
      ...more,
    });
  await outage(8 * HOUR_MS, 61_000);
  await outage(6 * HOUR_MS, 600_000);
  await outage(5 * HOUR_MS, 300_000, { discarded: true });
  await outage(4 * HOUR_MS, 120_000, { origin: 'manual' });
  await putMaintenance(app, monitor, { fromMs: now - 6 * HOUR_MS + 400_000, untilMs: now - 5.5 * HOUR_MS });
  const report = await reportOf(`tag=named&${since(12 * HOUR_MS)}`);
  const row = rowOf(report, monitor);
  const { counted_seconds, downtime_seconds, maintenance_seconds, unknown_seconds, ...others } = row;
  assert.deepEqual(
    { downtime_seconds, maintenance_seconds, unknown_seconds },
    { downtime_seconds: 461, maintenance_seconds: 1400, unknown_seconds: 7200 },
  );
  assert.equal(counted_seconds + maintenance_seconds + unknown_seconds, 12 * 3600);
  assert.deepEqual(
    [others.discarded_seconds, others.incidents, others.longest_downtime_seconds],
    [300, 3, 400],
  );
  assert.equal(row.uptime_time_pct, ((counted_seconds - 461) / counted_seconds) * 100);
  const { uptime_time_pct: together, ...totals } = report.totals;
  assert.equal(together, row.uptime_time_pct);
  assert.equal(totals.downtime_seconds, 461);
  assert.deepEqual(
    report.incidents?.map(({ duration_seconds, discarded, origin }) => [duration_seconds, discarded, origin]),
    [
      [61, false, 'automatic'],
      [600, false, 'automatic'],
      [300, true, 'automatic'],
      [120, false, 'manual'],
    ],
  );
  assert.deepEqual([report.is_over, report.kept_since_unix], [false, null]);
});

test('times of half a second add up to the range, and the hours of the week to the report', async () => {
  const monitor = await create();
  const from = Math.floor(app.clock.ms() / HOUR_MS) * HOUR_MS - 20 * HOUR_MS;
  // What each speaks for lies in two hours, with half a second over in either.
  const results = Array.from({ length: 10 }, (_, i) =>
    resultOf(monitor.id, from + i * 2 * HOUR_MS + 3540_500, 'up'),
  );
  assert.equal((await app.probe().post(results)).status, 200);
  const range = `from_unix=${from / 1000}&to_unix=${(from + 20 * HOUR_MS) / 1000}`;
  const row = rowOf(await reportOf(range), monitor);
  assert.equal(row.counted_seconds + row.maintenance_seconds + row.unknown_seconds, 20 * 3600);
  const week = await app.alice.ok<HoursOfWeek>('GET', `/monitors/${monitor.id}/hours-of-week?${range}`);
  assert.equal(
    week.hours.reduce((all, hour) => all + hour.counted_seconds, 0),
    row.counted_seconds,
  );
});

test('an incident says when it was acknowledged and whether it has a post-mortem; an open one has no duration', async () => {
  const monitor = await create({ tags: ['taken'] });
  const id = await putIncident(app, monitor, { fromMs: app.clock.ms() - HOUR_MS, toMs: null });
  const path = `/organizations/${app.home.orgId}/incidents/${id}`;
  await app.alice.ok('POST', `${path}/ack`);
  await app.alice.ok('PUT', `${path}/postmortem`, { title: 'How it came' });
  const { incidents } = await reportOf(`tag=taken&${since(2 * HOUR_MS)}`);
  const [incident] = incidents ?? [];
  assert.deepEqual(
    [incident?.monitor_name, incident?.duration_seconds, incident?.acknowledged_after_seconds],
    [monitor.name, null, 3600],
  );
  assert.deepEqual(incident?.postmortem, { title: 'How it came', status: 'draft' });
});

test('a month is the month of the time zone, even if its clocks change', async () => {
  const year = new Date(app.clock.ms()).getUTCFullYear() - 1;
  const berlin = await reportOf(`period=${year}-10&timezone=Europe/Berlin`);
  assert.deepEqual(
    [berlin.from_unix, berlin.to_unix],
    [Date.UTC(year, 8, 30, 22) / 1000, Date.UTC(year, 9, 31, 23) / 1000],
  );
  assert.deepEqual([berlin.timezone, berlin.period, berlin.is_over], ['Europe/Berlin', `${year}-10`, true]);
});

test('a project, a tag and a status page have their own monitors, the page under its own labels', async () => {
  const { orgId, projectId } = await app.place();
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, {
    name: 'Back',
  });
  const shop = await create({ name: 'Shop', tags: ['prod'] }, { projectId });
  const mail = await create({ name: 'Mail' }, { projectId: other.id });
  const page = await newPage(app.alice, { orgId }, 'Ours');
  const shown = [{ monitor_id: mail.id, display_name: 'Post' }, { monitor_id: shop.id }];
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: shown.map((entry, sort_order) => ({ ...entry, sort_order })),
  });
  const names = async (query: string) => {
    const { subject, monitors } = await reportOf(`${since(HOUR_MS)}&${query}`, app.alice, orgId);
    return [subject.kind, subject.name, ...monitors.map(({ name }) => name)];
  };
  assert.deepEqual((await names('')).slice(2), ['Mail', 'Shop']);
  assert.deepEqual(await names(`project_id=${other.id}`), ['project', 'Back', 'Mail']);
  assert.deepEqual(await names('tag=PROD'), ['tag', 'prod', 'Shop']);
  assert.deepEqual(await names(`status_page_id=${page.id}`), ['status_page', 'Ours', 'Post', 'Shop']);
});

test('an incident without a monitor is in the report of the organization, and in no other', async () => {
  const { orgId, projectId } = await app.place();
  await app.alice.ok('POST', `/organizations/${orgId}/incidents`, { severity: 'default', cause: 'No power' });
  app.clock.advance(1000);
  const causes = async (query: string) =>
    (await reportOf(`${since(HOUR_MS)}${query}`, app.alice, orgId)).incidents?.map(({ cause }) => cause);
  assert.deepEqual(await causes(''), ['No power']);
  assert.deepEqual(await causes(`&project_id=${projectId}`), []);
});

test('invalid parameters are refused by name, including ids of other organizations', async () => {
  const { orgId, projectId } = await app.place();
  const foreign = await app.place(await app.person('berta'));
  const page = await newPage(app.alice, { orgId }, 'Ours');
  for (const [query, field] of [
    ['period=October', 'period'],
    ['period=2999-01', 'period'],
    ['period=2020-01&from_unix=1', 'from_unix'],
    ['from_unix=1', 'to_unix'],
    ['timezone=Mars', 'timezone'],
    [`project_id=${foreign.projectId}`, 'project_id'],
    ['project_id=prj_nobody', 'project_id'],
    ['status_page_id=%00', 'status_page_id'],
    [`project_id=${projectId}&tag=prod`, 'tag'],
    [`tag=prod&status_page_id=${page.id}`, 'status_page_id'],
    ['month=2026-10', 'month'],
  ])
    for (const ending of ['', '.csv', '.pdf'])
      assertRefused(await app.alice.send('GET', pathOf(query!, orgId, ending)), {
        ...{ status: 400, error: 'invalid_request', field: field! },
      });
  const { body, status } = await app.alice.send('GET', pathOf('', foreign.orgId));
  assert.equal(status, 403, JSON.stringify(body));
});

test('a narrowed key gets the report of its own monitors, and one without incidents:read has no incidents', async () => {
  const { orgId, projectId } = await app.place();
  const other = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/projects`, {
    name: 'Back',
  });
  const own = await create({ name: 'Own' }, { projectId });
  await create({ name: 'Foreign' }, { projectId: other.id });
  const page = await newPage(app.alice, { orgId }, 'Ours');
  await app.alice.ok('POST', `/organizations/${orgId}/incidents`, { severity: 'default', cause: 'No power' });
  app.clock.advance(1000);
  const narrowed = await makeKeyHolder(app, app.alice, orgId, {
    ...{ scopes: ['monitors:read', 'incidents:read'], monitor_ids: [own.id] },
  });
  const report = await reportOf(since(HOUR_MS), narrowed, orgId);
  assert.deepEqual(
    report.monitors.map(({ name }) => name),
    ['Own'],
  );
  assert.deepEqual([report.monitor_count, report.incidents, report.incident_count], [1, [], 0]);
  for (const query of [`project_id=${other.id}`, `status_page_id=${page.id}`]) {
    const field = query.split('=')[0]!;
    assertRefused(await narrowed.send('GET', pathOf(query, orgId)), {
      ...{ status: 400, error: 'invalid_request', field },
    });
  }
  const blind = await makeKeyHolder(app, app.alice, orgId, { scopes: ['monitors:read'] });
  const { incidents, incident_count } = await reportOf(since(HOUR_MS), blind, orgId);
  assert.deepEqual([incidents, incident_count], [null, null]);
  const csv = await blind.ok<string>('GET', pathOf(`${since(HOUR_MS)}&table=incidents`, orgId, '.csv'));
  assert.equal(csv.trim().split('\r\n').length, 1);
});

test('as CSV the report equals the JSON, truncated as on the page, and no cell is a formula', async () => {
  const monitor = await create({ name: '=cmd()', tags: ['csv'] });
  await history(monitor, 3 * HOUR_MS);
  const fromMs = app.clock.ms() - 2 * HOUR_MS;
  await putIncident(app, monitor, { fromMs, toMs: fromMs + 61_000, origin: 'automatic' });
  const query = `tag=csv&${since(4 * HOUR_MS)}`;
  const row = rowOf(await reportOf(query), monitor);
  const csv = await app.alice.ok<string>('GET', pathOf(query, app.home.orgId, '.csv'));
  const [names, cells] = csv.split('\r\n').map((line) => line.split(','));
  const read = Object.fromEntries((names ?? []).map((name, i) => [name, cells?.[i]]));
  assert.equal(read.monitor, "'=cmd()");
  assert.equal(read.uptime_time_pct, String(cutPercent(row.uptime_time_pct ?? 0).value));
  assert.equal(read.downtime_seconds, '61');
  assert.equal(read.unknown_seconds, String(row.unknown_seconds));
  const { headers } = await fetch(app.url + pathOf(query, app.home.orgId, '.csv'), {
    headers: { cookie: app.alice.cookie() },
  });
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="report-csv-.*monitors\.csv"$/,
  );
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  const incidents = await app.alice.ok<string>(
    'GET',
    pathOf(`${query}&table=incidents`, app.home.orgId, '.csv'),
  );
  assert.match(incidents.split('\r\n')[1] ?? '', /,'=cmd\(\),automatic,closed,default,It was slow,.*,61,,$/);
});

test('time before the retention is unknown, and the report says since when data exists', async () => {
  const monitor = await create({ tags: ['old'] });
  const from = Math.floor((app.clock.ms() - 450 * DAY_MS) / 1000);
  const report = await reportOf(`tag=old&from_unix=${from}&to_unix=${from + 100 * 86_400}`);
  assert.equal(report.kept_since_unix, Math.floor((app.clock.ms() - 400 * DAY_MS) / 1000));
  const { uptime_time_pct, unknown_seconds, coverage_pct } = rowOf(report, monitor);
  assert.deepEqual([uptime_time_pct, unknown_seconds, coverage_pct], [null, 100 * 86_400, null]);
});

test('a report takes as many statements for many monitors as for one', async () => {
  const { orgId, projectId } = await app.place();
  const statements = async () => {
    const { db, sent } = countStatements(app.db);
    const query = {
      from_unix: Math.floor(app.clock.ms() / 1000) - 3600,
      to_unix: Math.floor(app.clock.ms() / 1000),
    };
    const asking = { orgId, within: null, now: app.clock.now(), seesIncidents: true };
    const { monitors } = await readReport(db, query, asking);
    return [monitors.length, sent()];
  };
  await create({}, { projectId });
  const [one, few] = await statements();
  await sql`INSERT INTO monitors (id, org_id, project_id, name, slug, type, config, enabled, policy, interval_seconds, regions, created_at)
    SELECT 'mon_many' || n, org_id, project_id, 'Many ' || n, 'many-' || n, type, config, enabled, policy, interval_seconds, regions, created_at
    FROM monitors, generate_series(1, 30) AS n WHERE org_id = ${orgId}`.execute(app.db);
  const [many, more] = await statements();
  assert.deepEqual([one, many], [1, 31]);
  assert.equal(more, few);
});
