// Pages of a storm that are due between the commit of the incident which begins it and that of its alarm
// (docs/adr/0034-from-the-check-to-the-receiver.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { follow, runWork, SYSTEM } from '#src/platform/work.ts';
import type { Place, TestApp } from '#test/harness/app.ts';
import { openAutomatic } from '#test/harness/automatic-incidents.ts';
import { type Pager, startPagedApp } from '#test/harness/pager-scene.ts';

let app: TestApp;
let pager: Pager;
before(async () => {
  ({ app, pager } = await startPagedApp());
});

type How = { held?: boolean; meanwhile?: () => Promise<unknown> };

/** Opens an incident, held for an hour or not, and does `meanwhile` before its alarm follows. */
async function open(place: Place, { held = false, meanwhile = async () => undefined }: How = {}) {
  const heldUntil = held ? new Date(app.clock.ms() + 3_600_000) : null;
  const act = async (work: Parameters<typeof follow>[0]) => {
    const [opened = ''] = await openAutomatic(work, place, 1, heldUntil);
    // What follows first runs first.
    follow(work, async () => void (await meanwhile()));
    return opened;
  };
  const id = await runWork(app.db, app.clock.now(), SYSTEM, act, {
    onFollowFailed: assert.ifError,
    clock: () => app.clock.now(),
  });
  await app.runTask('deliver');
  return id;
}

/** What the pager got since then: the pages of incidents by their place, that of the storm as such. */
function pagedSince(from: number, ids: readonly string[]): string[] {
  return pager.pages.slice(from).map((page) => {
    const [action, key = ''] = page.split(' ');
    return `${action} ${ids.includes(key) ? ids.indexOf(key) + 1 : 'storm'}`;
  });
}

async function target({ orgId }: Place, events: string[]): Promise<void> {
  const credential = '0123456789abcdef0123456789abcdef';
  await app.alice.ok('POST', `/organizations/${orgId}/webhooks`, {
    ...{ name: 'Pager', kind: 'pagerduty', credential, events },
  });
}

test('pages whose retry is due right behind the opening of a quiet incident that makes a storm wake people', async () => {
  const place = await app.place();
  await target(place, ['opened', 'acknowledged', 'resolved']);
  pager.status = 503;
  const ids = [await open(place), await open(place)];
  pager.status = 202;
  const from = pager.pages.length;
  await open(place, {
    held: true,
    meanwhile: async () => {
      app.clock.advance(20_000);
      await app.runTask('deliver');
    },
  });
  app.clock.advance(60_000);
  await app.runTask('deliver');
  assert.deepEqual(pagedSince(from, ids), ['trigger storm', 'resolve 1', 'resolve 2']);
});
