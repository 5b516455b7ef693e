// A heartbeat in an export: the jobs that call it must not have to be changed when an installation moves house.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { OPERATOR } from '#src/cli/open-installation.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { heartbeatContext } from '#src/monitors/heartbeats.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import { startTestApp, type TestApp } from '#test/harness/app.ts';
import { every, jump, makeHeartbeat } from '#test/harness/heartbeat.ts';

const dir = mkdtempSync(join(tmpdir(), 'tocsin-moving-'));
after(() => rmSync(dir, { recursive: true }));
const path = join(dir, LINES_FILE);

async function exportFrom(app: TestApp, organizationId: string): Promise<void> {
  await exportOrganization({
    url: app.databaseUrl,
    organizationId,
    vault: app.vault,
    version: '0.0.0',
    now: app.clock.now(),
    file: (file, write) => writePrivateFile(join(dir, file), write),
  });
}
const importInto = (app: TestApp, slug: string) =>
  importOrganization({
    db: app.db,
    vault: app.vault,
    path,
    slug,
    plan: 'unlimited',
    now: app.clock.now(),
    actor: OPERATOR,
  });
const tokensOf = async (app: TestApp) =>
  (
    await app.db
      .selectFrom('heartbeats')
      .select(['token_sealed', 'token_hash', 'last_beat_at', 'due_at', 'last_ok'])
      .orderBy('monitor_no')
      .execute()
  ).map((row) => ({
    ...row,
    token: app.vault.open(row.token_sealed ?? '', heartbeatContext(row.token_hash)),
  }));
const pathOf = (monitor: Monitor) => new URL((monitor.config as { ping_url: string }).ping_url).pathname;

test('an imported heartbeat keeps its address, and waits a whole period first', async () => {
  await using source = await startTestApp();
  await using target = await startTestApp({ clock: source.clock });
  const { orgId, projectId } = await source.place();
  const beat = await makeHeartbeat(source, projectId, { schedule: every(600) });
  await beat.ping();
  source.clock.advance(1000);
  await beat.ping('/fail');
  await exportFrom(source, orgId);
  await jump(source, 3600);

  await importInto(target, 'moved');
  const [moved] = await tokensOf(target);
  assert.equal(`/heartbeat/${moved?.token}`, pathOf(beat.monitor));
  assert.equal(moved?.due_at?.getTime(), target.clock.ms() + 600_000);
  assert.equal(moved?.last_ok, false);
  assert.equal((await fetch(`${target.url}${pathOf(beat.monitor)}`)).status, 200);
  assert.deepEqual(
    (await tokensOf(target)).map(({ last_ok }) => last_ok),
    [true],
  );
});

test('if the address is in use, or the export has none, it gets a new one', async () => {
  await using app = await startTestApp();
  const { orgId, projectId } = await app.place();
  const beat = await makeHeartbeat(app, projectId, { schedule: every(600) });
  await exportFrom(app, orgId);
  // Under other ids, so that both can be here; without the activity log, whose chain tells that they were changed.
  const text = withoutActivity(readFileSync(path, 'utf8'));
  const other = (id: string) => `${id.slice(0, -4)}${id.endsWith('0000') ? '0001' : '0000'}`;
  const ids = new Set(text.match(/\b(?:org|prj|mon)_[0-9a-z]{26}\b/g));
  const renamed = [...ids].reduce((lines, id) => lines.replaceAll(id, other(id)), text);
  const without = renamed
    .split('\n')
    .filter((line) => !line.includes('"kind":"heartbeat"'))
    .join('\n');
  for (const [slug, lines] of [
    ['same', renamed],
    ['none', without],
  ] as const) {
    const before = await tokensOf(app);
    writeFileSync(path, lines);
    await importInto(app, slug);
    const after = await tokensOf(app);
    assert.equal(after.length, before.length + 1);
    assert.equal(new Set(after.map(({ token }) => token)).size, after.length);
    assert.equal(`/heartbeat/${after[0]?.token}`, pathOf(beat.monitor));
    await app.db.deleteFrom('monitors').where('id', '=', other(beat.monitor.id)).execute();
    await app.db.deleteFrom('projects').where('id', '=', other(projectId)).execute();
    await app.db.deleteFrom('organizations').where('id', '=', other(orgId)).execute();
    await app.db.deleteFrom('activity').where('org_id', '=', other(orgId)).execute();
  }
});

/** An export as one from before the activity log was a chain of hashes, and without its entries. */
function withoutActivity(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const kept = lines
    .map((line) => JSON.parse(line) as { kind: string; data: Record<string, unknown> })
    .filter(({ kind }) => kind !== 'activity')
    .map(({ kind, data: { activity_no: _, activity_hash: __, ...data } }) => JSON.stringify({ kind, data }));
  return `${kept.join('\n')}\n`;
}
