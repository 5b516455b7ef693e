// Real probes in processes of their own, on the real clock: sharing, a planned stop, a death, several regions.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { offsetMs } from '#src/domain/schedule.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { type Clock, startTestApp, type TestApp } from '#test/harness/app.ts';
import { httpServer } from '#test/harness/listeners.ts';
import { startProbeProcess } from '#test/harness/probe-process.ts';
import { until } from '#test/harness/until.ts';

const REAL: Clock = { now: () => new Date(), ms: () => Date.now(), advance: () => undefined };

/** A target that notes when each of its paths was asked for. */
async function watched(t: TestContext) {
  let isBroken = false;
  const askedAt = new Map<string, number[]>();
  const port = await httpServer(t, (request, response) => {
    const path = request.url ?? '';
    askedAt.set(path, [...(askedAt.get(path) ?? []), performance.now()]);
    response.writeHead(isBroken ? 503 : 200).end();
  });
  const times = (path: string) => askedAt.get(path) ?? [];
  return {
    url: `http://127.0.0.1:${port}`,
    times,
    lastAt: (path: string) => times(path).at(-1) ?? 0,
    breaks: (broken: boolean) => {
      isBroken = broken;
    },
  };
}

const paths = (count: number) => Array.from({ length: count }, (_, i) => `/${i}`);

async function monitorsOf(
  app: TestApp,
  url: string,
  list: readonly string[],
  fields: object,
): Promise<Monitor[]> {
  const made: Monitor[] = [];
  for (const path of list) {
    const body = { name: path, type: 'http', config: { url: url + path }, interval_seconds: 1, ...fields };
    made.push(await app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, body));
  }
  return made;
}

const sharesOf = async (app: TestApp, slug: string): Promise<number[]> => {
  const regions = await app.alice.ok<AdministeredRegion[]>('GET', '/admin/regions');
  return regions.find((region) => region.slug === slug)?.probes.map(({ monitors }) => monitors ?? 0) ?? [];
};

test('two probes share a region; if one is stopped or killed, the other replaces it', async (t) => {
  await using app = await startTestApp({ clock: REAL });
  const target = await watched(t);
  const { token } = await app.region('shared');
  const all = paths(16);
  const monitors = await monitorsOf(app, target.url, all, { regions: ['shared'] });
  const start = () => startProbeProcess(t, { url: app.url, token });
  const first = await start();
  await until(() => all.every((path) => target.times(path).length > 1), 'every monitor is checked');
  const second = await start();
  await until(
    async () => (await sharesOf(app, 'shared')).filter((share) => share > 0).length === 2,
    'both have a share',
  );

  const since = performance.now();
  await until(
    () => all.every((path) => target.times(path).filter((at) => at > since).length > 2),
    'every monitor is checked by one of the two',
  );
  await second.end('SIGTERM');
  const stoppedAt = performance.now();
  await until(() => all.every((path) => target.lastAt(path) > stoppedAt), 'the other has everything', 5_000);

  const third = await start();
  await until(
    async () => (await sharesOf(app, 'shared')).filter((share) => share > 0).length === 2,
    'both have a share again',
  );
  await third.end('SIGKILL');
  const killedAt = performance.now();
  await until(() => all.every((path) => target.lastAt(path) > killedAt), 'the other has everything', 30_000);
  await first.end('SIGTERM');

  // Whoever checked a monitor: once for each moment of its rhythm, and in that rhythm.
  const { rows } = await sql<{ id: string; times: number[] }>`
    SELECT m.id, array_agg((extract(epoch FROM c.checked_at) * 1000)::float8 ORDER BY c.checked_at) AS times
    FROM checks c JOIN monitors m ON m.no = c.monitor_no GROUP BY m.id`.execute(app.db);
  assert.equal(rows.length, monitors.length);
  let onTime = 0;
  let stored = 0;
  for (const { id, times } of rows) {
    stored += times.length;
    onTime += times.filter((at) => at % 1000 === offsetMs(id, 1000)).length;
  }
  assert.ok(onTime > 0.8 * stored, `${onTime} of ${stored} in rhythm`);
  const [status] = await app.alice.ok<{ status: string }[]>(
    'GET',
    `/monitors/${monitors[0]?.id}/checks?limit=1`,
  );
  assert.equal(status?.status, 'up');
});

test('a failing monitor is checked faster from all its regions, until it has recovered', async (t) => {
  await using app = await startTestApp({ clock: REAL });
  const slow = { interval_seconds: 600, policy: { failed_interval_seconds: 1 } };
  const target = await watched(t);
  const regions = ['here', 'there'];
  for (const slug of regions) {
    const { token } = await app.region(slug);
    await startProbeProcess(t, { url: app.url, token });
  }
  await until(
    async () =>
      (await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions')).filter(
        ({ online }) => online,
      ).length === 2,
    'both regions are online',
  );
  target.breaks(true);
  const [monitor] = await monitorsOf(app, target.url, ['/it'], { ...slow, regions });
  // Two regions looked at once, as it is new; a person who edits it makes them look again.
  await until(() => target.times('/it').length >= 2, 'a first look from both');
  await app.alice.ok('PATCH', `/monitors/${monitor?.id}`, { policy: { alarm_consecutive: 1 } });
  await app.alice.ok('PATCH', `/monitors/${monitor?.id}`, { config: { url: `${target.url}/it?again` } });
  const seenFrom = async (slug: string) =>
    (await app.alice.ok<unknown[]>('GET', `/monitors/${monitor?.id}/checks?region=${slug}`)).length;
  await until(
    async () => (await seenFrom('here')) > 4 && (await seenFrom('there')) > 4,
    'checks every second from both regions',
  );
  target.breaks(false);
  const statusOf = async () => (await app.alice.ok<Monitor>('GET', `/monitors/${monitor?.id}`)).last_status;
  await until(async () => (await statusOf()) === 'passed', 'it has recovered');
  const interval = async () =>
    (await app.db.selectFrom('assignments').select('interval_seconds').execute()).map(
      (row) => row.interval_seconds,
    );
  assert.deepEqual(await interval(), [600, 600]);
});
