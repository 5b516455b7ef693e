// The figures of a status page (docs/rules/figures.md): page, badge, months, dashboard and export say the same, which is what
// the single checks say, over days with outages, maintenance and false alarms.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/domain/durations.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import type { Report } from '#src/reports/contract.ts';
import type { Series } from '#src/series/contract.ts';
import type { PublicStatusPage } from '#src/status-pages/public/contract.ts';
import { formatsOf } from '#src/status-pages/public/formats.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { putMaintenance } from '#test/harness/maintenance-row.ts';
import { naiveUptime } from '#test/harness/naive-uptime.ts';
import { resultOf } from '#test/harness/probe.ts';
import { newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';
import { formatsFor } from '#web/format.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

/** A monitor that reported every ten minutes since the beginning of the day before yesterday. */
async function livedMonitor(): Promise<Monitor> {
  await app.runTask('partitions');
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    ...{ name: 'Shop', type: 'http', interval_seconds: 600 },
    config: { url: 'https://shop.example.com/' },
  });
  const from = dayStart() - 2 * DAY_MS;
  await sql`UPDATE reporting_rules SET since = ${new Date(from)}
    WHERE monitor_no = (SELECT no FROM monitors WHERE id = ${monitor.id})`.execute(app.db);
  // Up to now: in the first minutes of a day, too, the day has a result.
  const count = Math.floor((app.clock.ms() - from) / (10 * MINUTE_MS)) + 1;
  const results = Array.from({ length: count }, (_, i) =>
    resultOf(monitor.id, from + i * 10 * MINUTE_MS, 'up'),
  );
  assert.equal((await app.probe().post(results)).status, 200);
  return monitor;
}

const dayStart = () => Math.floor(app.clock.ms() / DAY_MS) * DAY_MS;
const seconds = (ms: number) => Math.round(ms / 1000);

test('page, badge, JSON, months, dashboard and export agree with the checks, and update within a second of a discard', async () => {
  const monitor = await livedMonitor();
  const page = await newPage(app.alice, app.home);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: [{ monitor_id: monitor.id, uptime_window_days: 7 }],
  });
  const yesterday = dayStart() - DAY_MS;
  // Over midnight, and half of it planned.
  await putIncident(app, monitor, {
    ...{ fromMs: yesterday - HOUR_MS, toMs: yesterday + 2 * HOUR_MS, origin: 'automatic' },
  });
  await putMaintenance(app, monitor, { fromMs: yesterday + HOUR_MS, untilMs: yesterday + 4 * HOUR_MS });
  const falseAlarm = await putIncident(app, monitor, {
    ...{ fromMs: yesterday + 10 * HOUR_MS, toMs: yesterday + 10 * HOUR_MS + 754_321, origin: 'automatic' },
  });

  const read = async (path: string) => (await fetch(app.url + path)).text();
  const publicPath = `/public/status-pages/${page.slug}`;
  const shown = async () => {
    const { groups } = JSON.parse(await read(publicPath)) as PublicStatusPage;
    return groups[0]?.monitors[0] ?? assert.fail('no monitor');
  };
  const naive = (fromMs: number, untilMs: number) => naiveUptime(app, monitor.id, { fromMs, untilMs });

  /** Everything that tells the uptime says the same as the single checks. */
  const assertEqualEverywhere = async (downtimeYesterday: number) => {
    const now = app.clock.ms();
    const { uptime_pct, days } = await shown();
    const expected = (await naive(dayStart() - 6 * DAY_MS, now)) ?? assert.fail('no uptime');
    assert.equal(uptime_pct?.toFixed(9), expected.toFixed(9));
    for (const [i, day] of days.entries()) {
      const from = dayStart() - (6 - i) * DAY_MS;
      const ofDay = await naive(from, Math.min(from + DAY_MS, now));
      assert.equal(day.uptime_pct?.toFixed(9), ofDay?.toFixed(9), day.date);
    }
    assert.equal(days.at(-2)?.downtime_seconds, downtimeYesterday);
    assert.equal(days.at(-3)?.downtime_seconds, 3600);
    assert.equal(days.at(-2)?.maintenance_seconds, 3 * 3600);
    for (const language of ['en', 'de'] as const) {
      const shownPct = formatsOf(language, 'UTC').percent(expected);
      assert.ok(
        (await read(`/status/${page.slug}/${language}`)).includes(shownPct),
        `${language}: ${shownPct}`,
      );
    }
    const { percent } = formatsOf('en', 'UTC');
    const day = new Date(now);
    const ofMonth = await naive(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1), now);
    const history = await read(`/status/${page.slug}/en/history`);
    assert.ok(history.includes(percent(ofMonth ?? assert.fail('no month'))), 'the month');
    const shownPct = percent(expected);
    for (const query of ['metric=uptime', `metric=uptime&monitor=${monitor.id}`])
      assert.ok((await read(`${publicPath}/badge.svg?${query}`)).includes(shownPct), `${query}: ${shownPct}`);
    // The dashboard shows what this answers. All that was reported lies in either week.
    const { stats } = await app.alice.ok<Series>('GET', `/monitors/${monitor.id}/series?range=7d`);
    assert.equal(stats.uptime_time_pct?.toFixed(9), expected.toFixed(9), 'the dashboard');
    assert.equal(formatsFor('en').percent(stats.uptime_time_pct ?? 0), shownPct);
    const exported = await exportedDays();
    for (const { date, uptime_pct } of days)
      if (uptime_pct !== null)
        assert.equal(exported.get(date), Number(uptime_pct.toFixed(4)), `${date} exported`);
    assert.equal(exported.size, days.filter((day) => day.uptime_pct !== null).length);
  };

  /** The uptime of each day in the export's table. */
  async function exportedDays(): Promise<Map<string, number>> {
    const files = new Map<string, string>();
    await exportOrganization({
      ...{ url: app.databaseUrl, organizationId: app.home.orgId, vault: app.vault, version: '0.0.0' },
      now: app.clock.now(),
      file: async (name, write) => {
        const out = new PassThrough();
        const [content] = await Promise.all([text(out), write(out)]);
        files.set(name, content);
      },
    });
    const lines = (files.get('uptime.csv') ?? '').trimEnd().split('\r\n');
    return new Map(
      lines
        .filter((line) => line.includes(monitor.id))
        .map((line) => line.split(','))
        .map((cells) => [cells[0] ?? '', Number(cells.at(-1))]),
    );
  }

  const all = seconds(HOUR_MS + 754_321);
  await assertEqualEverywhere(all);
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${falseAlarm}/discard`);
  const discardedAt = performance.now();
  await until(
    async () => (await shown()).days.at(-2)?.downtime_seconds === 3600,
    'the false alarm is off the page',
  );
  assert.ok(performance.now() - discardedAt < 2_000, 'within the second');
  await assertEqualEverywhere(3600);
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${falseAlarm}/restore`);
  await until(async () => (await shown()).days.at(-2)?.downtime_seconds === all, 'it is on the page again');
  await assertEqualEverywhere(all);
});

test('between two seconds, too, a page says what a report says of an outage that has just begun', async () => {
  await app.runTask('partitions');
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    ...{ name: 'Young', type: 'http', config: { url: 'https://shop.example.com/' } },
  });
  app.clock.advance(1000 - (app.clock.ms() % 1000));
  await app.probe().post([resultOf(monitor.id, app.clock.ms(), 'up')]);
  app.clock.advance(10_000);
  await putIncident(app, monitor, { fromMs: app.clock.ms() - 1000, toMs: null, origin: 'automatic' });
  app.clock.advance(900);
  const page = await newPage(app.alice, app.home);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: [{ monitor_id: monitor.id, uptime_window_days: 7 }],
  });
  const answered = await fetch(`${app.url}/public/status-pages/${page.slug}`);
  const { groups } = (await answered.json()) as PublicStatusPage;
  const range = `from_unix=${(dayStart() - 6 * DAY_MS) / 1000}&to_unix=${Math.floor(app.clock.ms() / 1000)}`;
  const report = await app.alice.ok<Report>('GET', `/organizations/${app.home.orgId}/report?${range}`);
  const reported = report.monitors.find(({ monitor_id }) => monitor_id === monitor.id);
  assert.equal(reported?.uptime_time_pct, 90);
  assert.equal(groups[0]?.monitors[0]?.uptime_pct, 90);
});
