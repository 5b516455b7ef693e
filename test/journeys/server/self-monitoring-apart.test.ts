// What fails in the watch over the installation holds up nothing else of it (docs/rules/regions-and-probes.md#troubles).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Trouble } from '#src/self-monitoring/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

/** Nothing of this kind and subject can be recorded. */
async function refuseTrouble(kind: string, subject: string): Promise<void> {
  const name = sql.id(`refuse_${kind}`);
  await sql`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused'; END $$`.execute(app.db);
  await sql`CREATE TRIGGER ${name} BEFORE INSERT ON troubles FOR EACH ROW
    WHEN (NEW.kind = ${sql.lit(kind)} AND NEW.subject = ${sql.lit(subject)}) EXECUTE FUNCTION ${name}()`.execute(
    app.db,
  );
}

async function setAside(): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return Number(/^tocsin_set_aside_total\{kind="watch"\} (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** A monitor that a probe of its region checks, until that is gone. */
async function silentIn({ projectId }: Place, region: string): Promise<Monitor> {
  return app.alice.ok('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' } },
    ...{ interval_seconds: 60, regions: [region] },
  });
}

test('an organization that cannot be told, and a kind of trouble that cannot be recorded, keep no other from it', async () => {
  const [broken, other] = [await app.place(), await app.place()];
  const probe = await app.region('lost');
  await silentIn(broken, 'lost');
  await silentIn(other, 'lost');
  await probe.assignments();
  await refuseTrouble('no_data', broken.orgId);
  await refuseTrouble('edge_failing', 'http://edge.example');
  const longAgo = app.clock.now();
  await app.db
    .insertInto('edges')
    .values({ address: 'http://edge.example', seen_at: longAgo, failing_since: longAgo, failure: 'away' })
    .execute();
  const before = await setAside();
  for (let passed = 0; passed < 400; passed += 5) {
    app.clock.advance(5_000);
    await app.db.updateTable('edges').set({ seen_at: app.clock.now() }).execute();
    await app.runTask('self_monitoring');
  }
  const troubles = await app.alice.ok<Trouble[]>('GET', '/admin/troubles');
  assert.ok(troubles.some(({ kind, subject }) => kind === 'region_offline' && subject === 'lost'));
  const { rows } = await sql<{
    org: string;
  }>`SELECT DISTINCT org_id AS org FROM notices WHERE kind = 'monitors_silent'
    AND org_id IN (${broken.orgId}, ${other.orgId})`.execute(app.db);
  assert.deepEqual(rows, [{ org: other.orgId }]);
  assert.ok((await setAside()) > before, 'the operator’s metrics count it');
});
