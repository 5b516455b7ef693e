// What /metrics says, and that what docs/ asks Prometheus for is there.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { httpServer } from '#test/harness/listeners.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const scrape = async () => (await app.visitor().send<string>('GET', '/metrics')).body;

/** The value of one series, by its exact name and labels; undefined: it is not there. */
async function gauge(series: string): Promise<number | undefined> {
  const line = (await scrape()).split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

test('a region and its probe are online, with their lateness, and offline when they are silent', async () => {
  const probe = await app.region('eu-west');
  await probe.ask({ clock_ms: app.clock.ms() - 4_000 });
  const of = 'region="eu-west",probe="probe-1"';
  assert.equal(await gauge('tocsin_region_online{region="eu-west"}'), 1);
  assert.equal(await gauge(`tocsin_probe_online{${of}}`), 1);
  assert.equal(await gauge(`tocsin_probe_last_seen_timestamp_seconds{${of}}`), app.clock.ms() / 1000);
  assert.equal(await gauge(`tocsin_probe_clock_offset_seconds{${of}}`), -4);
  app.clock.advance(31_000);
  assert.equal(await gauge('tocsin_region_online{region="eu-west"}'), 0);
  assert.equal(await gauge(`tocsin_probe_online{${of}}`), 0);
});

test('lateness is the time from when a check was due until its result is stored, less its duration', async () => {
  const monitor = await app.alice.ok<{ id: string }>('POST', `/projects/${app.home.projectId}/monitors`, {
    name: 'Late',
    type: 'http',
    config: { url: 'https://example.com/' },
    regions: ['local'],
  });
  const below = (seconds: number) =>
    gauge(`tocsin_check_lateness_seconds_bucket{le="${seconds}",region="local"}`);
  const before = { five: (await below(5)) ?? 0, ten: (await below(10)) ?? 0 };
  await app
    .probe()
    .post([
      { monitor_id: monitor.id, checked_at_ms: app.clock.ms() - 9_000, status: 'up', latency_ms: 3_000 },
    ]);
  assert.equal(await below(5), before.five, '6 s late are more than five');
  assert.equal(await below(10), before.ten + 1);
});

test('deliveries are counted by kind and outcome, and due ones by queue', async (t) => {
  let status = 500;
  const port = await httpServer(t, (_, response) => response.writeHead(status).end('ok'));
  const url = `http://127.0.0.1:${port}/`;
  const hook = { name: 'Counted', kind: 'webhook', url, events: ['opened', 'resolved'] };
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/webhooks`, hook);
  const outcome = async (of: string) =>
    (await gauge(`tocsin_deliveries_total{kind="webhook",outcome="${of}"}`)) ?? 0;
  const before = { retried: await outcome('retried'), delivered: await outcome('delivered') };
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents`, {
    cause: 'Counted',
    severity: 'default',
  });
  await app.runTask('deliver');
  assert.equal(await outcome('retried'), before.retried + 1);
  assert.equal(await gauge('tocsin_pending_deliveries'), 1);
  status = 200;
  app.clock.advance(3_600_000);
  await app.runTask('deliver');
  assert.equal(await outcome('delivered'), before.delivered + 1);
  assert.equal(await gauge('tocsin_queue_oldest_due_seconds{queue="deliveries"}'), 0);
});

test('the pool and the size of the database are there, and no label names a tenant', async () => {
  const text = await scrape();
  assert.equal(await gauge('tocsin_database_up'), 1);
  assert.equal(await gauge('tocsin_database_connections_max'), 10);
  assert.ok(((await gauge('tocsin_database_size_bytes')) ?? 0) > 1e6);
  for (const { name } of (
    await sql<{ name: string }>`SELECT name FROM organizations UNION SELECT name FROM monitors`.execute(
      app.db,
    )
  ).rows)
    assert.ok(!text.includes(`"${name}"`), `${name} is a label`);
  assert.doesNotMatch(text, /(org|mon|prj|usr|wht)_[0-9a-z]{20}/);
});

test('metric names follow the conventions of Prometheus', async () => {
  for (const [, name = '', type = ''] of (await scrape()).matchAll(/^# TYPE (tocsin_\w+) (\w+)$/gm)) {
    assert.match(name, /^tocsin_[a-z]+(_[a-z]+)*$/);
    assert.equal(name.endsWith('_total'), type === 'counter', name);
    assert.doesNotMatch(name, /_(ms|milliseconds|kb|mb|minutes)(_|$)/);
  }
});

const DOCS = join(import.meta.dirname, '../../../docs');
/** Of Prometheus itself, and of the library. */
const OTHERS = ['process_resident_memory_bytes'];

/** Every metric that an expression names, with the labels that it selects or groups by. */
function named(expression: string): { name: string; labels: string[] }[] {
  return [...expression.matchAll(/\b((?:tocsin|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inside = '']) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label),
    }),
  );
}

function demandMetrics(text: string, expressions: readonly string[]): void {
  const known = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name));
  for (const expression of expressions) {
    const metrics = named(expression);
    assert.ok(metrics.length > 0, `${expression} names no metric`);
    for (const { name, labels } of metrics) {
      const base = name.replace(/_(bucket|sum|count)$/, '');
      assert.ok(
        known.has(name) || known.has(base) || OTHERS.includes(name),
        `${name} of ${expression} does not exist`,
      );
      const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
      for (const label of labels)
        assert.ok(
          lines.length === 0 || lines.some((line) => line.includes(`${label}="`)),
          `${name} has no ${label}`,
        );
    }
  }
}

test('every alert rule in docs/ uses existing metrics', async () => {
  const rules = readFileSync(join(DOCS, 'prometheus-rules.yml'), 'utf8');
  const expressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression = '']) => expression);
  assert.equal(
    expressions.length,
    [...rules.matchAll(/^ +- alert: /gm)].length,
    'each rule has its expression in one line',
  );
  demandMetrics(await scrape(), expressions);
});

test('every series whose increase is an alert is there before its first increase', async () => {
  const rules = readFileSync(join(DOCS, 'prometheus-rules.yml'), 'utf8');
  const watched = [...rules.matchAll(/increase\((\w+)(?:\{([^}]*)\})?\[/g)];
  assert.ok(watched.length > 3, 'the rules watch increases');
  const lines = (await scrape()).split('\n');
  for (const [, name = '', labels = ''] of watched)
    assert.ok(
      lines.some((line) => line.startsWith(`${name}{`) && line.includes(labels)),
      `${name}{${labels}} begins with 1, in which Prometheus sees no increase`,
    );
});

test('every panel of the Grafana dashboard in docs/ uses existing metrics', async () => {
  const dashboard = JSON.parse(readFileSync(join(DOCS, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  demandMetrics(
    await scrape(),
    dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  );
});
