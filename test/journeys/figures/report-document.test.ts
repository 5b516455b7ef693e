// The PDF of a report: its text has the figures of the report itself, and a program can read it aloud.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { extractText, getDocumentProxy } from 'unpdf';
import type { PageLanguage } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Report } from '#src/reports/contract.ts';
import { formatsOf } from '#src/status-pages/public/formats.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { png } from '#test/harness/images.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { resultOf } from '#test/harness/probe.ts';
import { newPage } from '#test/harness/status-page.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.runTask('partitions');
});

const create = (name: string, tags: string[]): Promise<Monitor> =>
  app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, {
    ...{ name, tags, type: 'http', config: { url: 'https://shop.example.com/' } },
  });

async function pdf(query: string): Promise<Uint8Array> {
  const answer = await fetch(`${app.url}/organizations/${app.home.orgId}/report.pdf?${query}`, {
    headers: { cookie: app.alice.cookie() },
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/pdf');
  return new Uint8Array(await answer.arrayBuffer());
}

/** Without blanks: where words end is a matter of places in a PDF. */
const bare = (text: string) => text.replace(/\s/g, '');

async function read(bytes: Uint8Array) {
  const document = await getDocumentProxy(bytes);
  const { text, totalPages } = await extractText(document, { mergePages: false });
  return { document, pages: text.map(bare), text: bare(text.join('')), totalPages };
}

test('the document has every figure of the report, as on the page, in both languages', async () => {
  const monitor = await create('Läden & Größe', ['pdf']);
  app.clock.advance(4 * HOUR_MS);
  const now = app.clock.ms();
  await app.probe().post(Array.from({ length: 170 }, (_, i) => resultOf(monitor.id, now - i * 60_000, 'up')));
  const fromMs = now - 2 * HOUR_MS;
  await putIncident(app, monitor, {
    fromMs,
    toMs: fromMs + 754_000,
    origin: 'automatic',
    cause: 'HTTP 500 and 503 (2 of 3 regions)',
  });
  await putIncident(app, monitor, {
    fromMs: fromMs + 800_000,
    toMs: fromMs + 900_000,
    cause: 'Connection refused',
  });
  const from = Math.floor(now / 1000) - 4 * 3600;
  const query = `tag=pdf&from_unix=${from}&to_unix=${Math.floor(now / 1000)}&timezone=Europe/Berlin`;
  const report = await app.alice.ok<Report>('GET', `/organizations/${app.home.orgId}/report?${query}`);
  const [row] = report.monitors;
  assert.ok(row?.uptime_time_pct && row.coverage_pct);
  for (const language of ['en', 'de'] satisfies PageLanguage[]) {
    const { text, document } = await read(await pdf(`${query}&language=${language}`));
    const { percent, duration } = formatsOf(language, 'Europe/Berlin');
    const figures: string[] = [
      ...[percent(row.uptime_time_pct), percent(row.coverage_pct)],
      ...[row.downtime_seconds, row.unknown_seconds, row.longest_downtime_seconds].map(duration),
      ...['Läden & Größe', duration(754), 'Europe/Berlin'],
      // What a person wrote is not translated.
      ...[
        'Connection refused',
        language === 'de' ? 'HTTP 500 und 503 (2 von 3 Regionen)' : 'HTTP 500 and 503 (2 of 3 regions)',
      ],
    ];
    for (const figure of figures) assert.ok(text.includes(bare(figure)), `${figure} is not in ${text}`);
    const { info } = (await document.getMetadata()) as unknown as {
      info: { Title: string; Language: string };
    };
    assert.match(
      info.Title,
      language === 'de' ? /^Bericht zur Verfügbarkeit · Tag pdf/ : /^Uptime report · Tag pdf/,
    );
    assert.equal(info.Language, language);
    assert.deepEqual(await document.getMarkInfo(), { Marked: true, UserProperties: false, Suspects: false });
  }
});

test('names in many scripts are written; characters without a font are marked, with the id beside them', async () => {
  await create('Ελληνικά', ['scripts']);
  await create('Магазин', ['scripts']);
  await create('Żółć ňů Việt', ['scripts']);
  const chinese = await create('监控', ['scripts']);
  const { text } = await read(await pdf('tag=scripts'));
  for (const name of ['Ελληνικά', 'Магазин', 'Żółć', 'Việt', chinese.id])
    assert.ok(text.includes(bare(name).normalize('NFC')), `${name} is not in ${text}`);
});

test('a table continues over pages, each with its heading and number', async () => {
  const first = await create('Many', ['many']);
  await sql`INSERT INTO monitors (id, org_id, project_id, name, slug, type, config, enabled, policy, interval_seconds, regions, created_at, tags)
    SELECT 'mon_many' || n, org_id, project_id, 'Number ' || n, 'many-' || n, type, config, enabled, policy, interval_seconds, regions, created_at, tags
    FROM monitors, generate_series(1, 1004) AS n WHERE id = ${first.id}`.execute(app.db);
  const bytes = await pdf('tag=many');
  const { pages, totalPages, document } = await read(bytes);
  assert.ok(totalPages > 20, `${totalPages} pages`);
  assert.ok(pages[0]?.includes('Page1of'));
  assert.ok(
    pages.slice(0, 20).every((text) => text.includes('MonitorUptimeCoverage')),
    String(pages[1]),
  );
  assert.ok(pages.join('').includes(bare('This report shows 1000 of 1005 monitors')));
  const tree = JSON.stringify(await (await document.getPage(2)).getStructTree());
  assert.ok(tree.includes('"role":"TR"') && tree.includes('"role":"TD"'), tree.slice(0, 500));
});

test('the document of a status page has its labels and logo, and no causes', async () => {
  const monitor = await create('internal-name-7', []);
  const page = await newPage(app.alice, app.home, 'Acme');
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: [{ monitor_id: monitor.id, display_name: 'Our shop' }],
  });
  await putIncident(app, monitor, { fromMs: app.clock.ms() - HOUR_MS, toMs: app.clock.ms() - 1 });
  const without = await pdf(`status_page_id=${page.id}`);
  const { text } = await read(without.slice());
  assert.ok(text.includes('Ourshop'));
  for (const hidden of ['internal-name-7', 'Itwasslow']) assert.ok(!text.includes(hidden), hidden);
  assert.ok(!Buffer.from(without).includes('/Subtype /Image'));
  await app.alice.ok('PUT', `/status-pages/${page.id}/logo`, png(200, 60));
  assert.ok(Buffer.from(await pdf(`status_page_id=${page.id}`)).includes('/Subtype /Image'));
});
