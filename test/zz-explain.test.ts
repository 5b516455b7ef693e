import { test } from 'node:test';
import pg from 'pg';
import { sql } from 'kysely';
import { startTestApp } from './harness/app.ts';
import { fillings, fillOpenSpan, fillTier } from '../bench/filled-year.ts';
import { writeFileSync } from 'node:fs';
const seen: {text:string, values:unknown[]}[] = [];
const original = pg.Client.prototype.query;
(pg.Client.prototype as any).query = function (...given: any[]) {
  const first = given[0];
  const text = typeof first === 'string' ? first : first?.text;
  const values = typeof first === 'string' ? given[1] : first?.values;
  if (typeof text === 'string' && Array.isArray(values)) seen.push({ text, values });
  return (original as any).apply(this, given);
};
test('x', async () => {
  await using app = await startTestApp();
  const ms: any[] = [];
  for (let i = 0; i < 100; i++) ms.push(await app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, { name: `a${i}`, type: 'http', config: { url: 'https://a.example.com/' } }));
  const { rows } = await sql<any>`SELECT id, no FROM monitors ORDER BY no`.execute(app.db);
  await app.region('far'); await app.region('farther');
  const regions = (await sql<any>`SELECT no FROM regions WHERE no > 0`.execute(app.db)).rows.map((r: any) => r.no);
  const subject = { database: { db: app.db } } as any;
  const context = { say: () => {}, signal: new AbortController().signal } as any;
  for (const f of fillings(91)) await fillTier(context, subject, { monitors: rows, regions }, f);
  for (let d = 0; d < 99; d++) await sql.raw(`SELECT 1`).execute(app.db);
  // a hundred partitions of checks, as after a hundred days
  for (let d = 1; d < 100; d++) await app.probe().post([{ monitor_id: rows[0].id, checked_at_ms: app.clock.ms() - d * 86_400_000, status: 'up', latency_ms: 3 }]);
  await sql`TRUNCATE rollup_dirty`.execute(app.db);
  await fillOpenSpan(subject, { monitors: rows, regions });
  await sql.raw('VACUUM ANALYZE').execute(app.db);
  for (const range of ['90d', '30d', '1d']) {
    for (let i = 0; i < 40; i++) await app.alice.ok('GET', `/monitors/${rows[5 + i].id}/series?range=${range}`);
    seen.length = 0;
    const t = performance.now();
    for (let i = 0; i < 40; i++) await app.alice.ok('GET', `/monitors/${rows[50 + i].id}/series?range=${range}`);
    console.log(range, (performance.now() - t) / 40, 'ms each');
    const mine = [...new Map(seen.filter((s) => /rollup_state|check_buckets|downtime/.test(s.text)).map((s) => [s.text, s])).values()];
    const client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    let out = '';
    for (const { text, values } of mine) {
      for (let k = 0; k < 2; k++) {
        const r = await (original as any).call(client, 'EXPLAIN (ANALYZE, BUFFERS) ' + text, values);
        const plan = r.rows.map((x: any) => x['QUERY PLAN']).join('\n');
        if (k === 1) { out += text + '\n' + JSON.stringify(values).slice(0, 300) + '\n' + plan + '\n\n'; console.log(plan.split('\n').filter((l: string) => /Planning Time|Execution Time/.test(l)).join(' ')); }
      }
    }
    writeFileSync(`/tmp/series/plan-${range}.txt`, out);
    await client.end();
  }
});
