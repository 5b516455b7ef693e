// Lists of monitors take what has not changed from memory (docs/adr/0047-lists-from-versions.md). Whatever is written, on whichever
// server, and however much time passes: every server shows what reading everything anew shows, byte by byte.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import fastJson from 'fast-json-stringify';
import { sql } from 'kysely';
import { listAllMonitors } from '#src/monitors/all/contract.ts';
import { selectListed, showListed } from '#src/monitors/all/list.ts';
import { listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { selectMonitors, showMonitor } from '#src/monitors/row.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { makeClient } from '#test/harness/client.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import type { Probe, Said } from '#test/harness/probe.ts';

const BASE_URL = 'http://tocsin.example.com';
let app: TestApp;
let second: Awaited<ReturnType<TestApp['another']>>;
before(async () => {
  app = await startAppOfFile({ env: { BASE_URL } });
  second = await app.another();
  closeAfterTests(() => Promise.resolve(second[Symbol.asyncDispose]()));
  await app.region('far');
});

const serializeMonitors = fastJson(listMonitors.reply as never);
const serializeListed = fastJson(listAllMonitors.reply as never);

/** Reads and writes everything, as if nothing had ever been shown. */
async function anew({ orgId, projectId }: Place, mayWrite: boolean): Promise<string[]> {
  const now = app.clock.now();
  const shownAt = { baseUrl: BASE_URL, vault: app.vault };
  const rows = await selectMonitors(app.db, now)
    .where('monitors.project_id', '=', projectId)
    .orderBy('monitors.no', 'desc')
    .execute();
  const newest = {
    orgId,
    conditions: [sql`monitors.org_id = ${orgId}`],
    order: sql`monitors.no DESC`,
    limit: 1000,
  };
  const all = (await selectListed(newest, now).execute(app.db)).rows;
  return [
    serializeMonitors(rows.map((row) => showMonitor(row, shownAt, { mayWrite }))),
    serializeListed(all.map((row) => showListed(row, now))),
  ];
}

async function shownBy(url: string, person: Person, { orgId, projectId }: Place): Promise<string[]> {
  const paths = [`/projects/${projectId}/monitors`, `/organizations/${orgId}/monitors`];
  return Promise.all(
    paths.map(async (path) =>
      (await fetch(`${url}${path}?limit=1000`, { headers: { cookie: person.cookie() } })).text(),
    ),
  );
}

type Scene = {
  place: Place;
  /** The same person on one of the two servers. */
  client: Person;
  probes: Probe[];
  profile: { id: string };
  windows: string[];
};
type Step = { on: 0 | 1; of: number; act: keyof typeof ACTS };

const SAID: Said[] = [
  { status: 'up' },
  { status: 'down' },
  { status: 'degraded' },
  { status: 'down', failure_class: 'probe_busy', cause_layer: 'probe' },
  { status: 'down', failure_class: 'ping_unavailable', cause_layer: 'probe' },
];
const DEPENDABLE = { interval_seconds: 20, regions: ['local', 'far'] };

const monitorsOf = ({ client, place }: Scene) =>
  client.ok<Monitor[]>('GET', `/projects/${place.projectId}/monitors`);
const patch = (change: (monitor: Monitor, of: number) => object) => async (scene: Scene, of: number) => {
  const all = await monitorsOf(scene);
  const monitor = all[of % Math.max(1, all.length)];
  if (monitor) await scene.client.send('PATCH', `/monitors/${monitor.id}`, change(monitor, of));
};
const config = { url: 'https://shop.example.com/' };

const ACTS = {
  create: async ({ client, place }: Scene, of: number) => {
    const kinds = [
      { type: 'http', config, ...DEPENDABLE },
      { type: 'http', config, interval_seconds: 3600 },
      { type: 'heartbeat', config: { schedule: { kind: 'period', period_seconds: 60 } } },
    ];
    await client.send('POST', `/projects/${place.projectId}/monitors`, {
      name: `Mönitor ${of}`,
      ...kinds[of % 3],
    });
  },
  delete: async (scene: Scene, of: number) => {
    const all = await monitorsOf(scene);
    if (all.length > 3) await scene.client.ok('DELETE', `/monitors/${all[of % all.length]?.id}`);
  },
  rename: patch((_, of) => ({ name: `Renamed ${of}` })),
  pause: patch(({ enabled }) => ({ enabled: !enabled })),
  slower: patch((_, of) => ({ interval_seconds: 20 + (of % 3) * 40 })),
  inherit: patch(() => ({ policy: { alarm_consecutive: null } })),
  profiled: async (scene: Scene, of: number) =>
    patch(() => ({ policy: { alert_profile_id: scene.profile.id } }))(scene, of),
  profile: ({ client, profile }: Scene, of: number) =>
    client.ok('PATCH', `/alert-profiles/${profile.id}`, { alarm_consecutive: 1 + (of % 5) }),
  standard: ({ client, place }: Scene, of: number) =>
    client.ok('PUT', `/organizations/${place.orgId}/alarm-standard`, {
      min_regions: 1,
      alarm_min_duration_seconds: of % 100,
    }),
  result: async (scene: Scene, of: number) => {
    const all = (await monitorsOf(scene)).filter(({ type }) => type === 'http');
    const monitor = all[of % Math.max(1, all.length)];
    const said = SAID[of % SAID.length];
    if (monitor && said) await scene.probes[of % 2]?.says(monitor.id, said);
  },
  passes: async (scene: Scene, of: number) => {
    const results = (await monitorsOf(scene)).map(({ id }) => ({
      monitor_id: id,
      checked_at_ms: app.clock.ms(),
      status: 'up',
      latency_ms: 1,
    }));
    await scene.probes[of % 2]?.post(results);
  },
  ask: ({ probes }: Scene, of: number) => probes[of % 2]?.assignments(),
  soon: async () => app.clock.advance(5_000),
  later: async () => app.clock.advance(31_000),
  'much later': async () => app.clock.advance(400_000),
  maintain: async (scene: Scene, of: number) => {
    const monitors = (await monitorsOf(scene)).slice(0, 1 + (of % 3)).map(({ id }) => id);
    const start = Math.floor(app.clock.ms() / 1000) + (of % 2) * 20;
    const window = {
      title: 'Work',
      monitors,
      scheduled_start: start,
      scheduled_end: start + 60,
    };
    const path = `/organizations/${scene.place.orgId}/maintenance-windows`;
    scene.windows.push((await scene.client.ok<{ id: string }>('POST', path, window)).id);
  },
  cancel: async ({ client, place, windows }: Scene) => {
    const id = windows.pop();
    if (id) await client.ok('POST', `/organizations/${place.orgId}/maintenance-windows/${id}/cancel`);
  },
};

const step: fc.Arbitrary<Step> = fc.record({
  on: fc.constantFrom(0, 1),
  of: fc.nat(1000),
  act: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<(keyof typeof ACTS)[]>('result', 'passes', 'ask', 'soon') },
    { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(ACTS) as (keyof typeof ACTS)[])) },
  ),
});

/** The loops of the servers write too, as the clock moves: what was read meanwhile is compared with nothing. */
async function untilStill(compared: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries++) if (await compared()) return;
  throw new Error('the servers never stop writing');
}

test('after any writes, on any server, the cached lists equal a fresh read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (steps) => {
      const place = await app.place();
      const member = await app.person('member', { [place.orgId]: 'member' });
      const urls = [app.url, second.url];
      const clients = urls.map((url) => ({
        ...app.alice,
        ...makeClient(url, { cookie: app.alice.cookie() }),
        cookie: app.alice.cookie,
      }));
      const profile = await app.alice.ok<{ id: string }>(
        'POST',
        `/organizations/${place.orgId}/alert-profiles`,
        {
          name: 'Profile',
          alarm_consecutive: 2,
        },
      );
      const windows: string[] = [];
      const sceneOn = (on: 0 | 1): Scene => ({
        place,
        client: clients[on] as Person,
        probes: ['local', 'far'].map((region) => (on === 0 ? app.probe(region) : second.probe(region))),
        profile,
        windows,
      });
      const scenes = [sceneOn(0), sceneOn(1)] as const;
      for (const kind of [0, 1, 2, 3]) await ACTS.create(scenes[0], kind);
      for (const { on, of, act } of steps) {
        await ACTS[act](scenes[on], of);
        await untilStill(async () => {
          const before = await Promise.all([anew(place, true), anew(place, false)]);
          const seen = await Promise.all(
            urls.map((url) => Promise.all([shownBy(url, app.alice, place), shownBy(url, member, place)])),
          );
          if (!isDeepStrictEqual(await Promise.all([anew(place, true), anew(place, false)]), before))
            return false;
          for (const one of seen) assert.deepEqual(one, before, `${act} on ${on}`);
          return true;
        });
      }
    }),
    { numRuns: 3, endOnFailure: true },
  );
});
