// A target that is deleted between the reading of the routes of an event and the writing of its deliveries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enqueueTo } from '#src/notifications/outbox.ts';
import { readRoutingData } from '#src/notifications/routing-data.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { startTestApp } from '#test/harness/app.ts';
import { incidentPayload } from '#test/harness/enqueued-events.ts';

test('a target that is deleted meanwhile leaves no delivery that is pending for ever', async () => {
  await using app = await startTestApp();
  const { orgId } = app.home;
  const path = `/organizations/${orgId}/webhooks`;
  const target = {
    name: 'Hook',
    kind: 'webhook',
    url: 'http://127.0.0.1:9/',
    events: ['opened'],
    active: true,
  };
  const [gone, kept] = await Promise.all(
    [1, 2].map(() => app.alice.ok<{ id: string }>('POST', path, target)),
  );
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const routing = await readRoutingData(work, orgId, []);
    await app.alice.ok('DELETE', `${path}/${gone?.id}`);
    const about = { projectId: null, monitorNo: null, groupNo: null, incident: incidentPayload('inc_1') };
    await enqueueTo(work, routing, [{ event: 'opened', ...about }], ['webhook']);
  });
  const deliveries = await app.db.selectFrom('deliveries').select('target_id').execute();
  assert.deepEqual(deliveries, [{ target_id: kept?.id }]);
});
