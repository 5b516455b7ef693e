// The database goes away and comes back: nothing of the server has to be started again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { PASSWORD, startTestApp } from '#test/harness/app.ts';
import { startCutLine } from '#test/harness/cut-line.ts';
import { openEventStream } from '#test/harness/event-stream.ts';
import { resultOf } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { assertErrorBody } from '#test/harness/refused.ts';

test('live streams, waiting probes, results and deliveries continue after an outage of the database', async () => {
  await using stack = new AsyncDisposableStack();
  const line = await startCutLine();
  stack.defer(() => line.stop());
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const app = stack.use(await startTestApp({ throughUrl: line.urlThrough }));
  const { orgId, projectId } = app.home;
  const hook = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened'] };
  const { secret } = await app.alice.ok<{ secret: string }>('POST', `/organizations/${orgId}/webhooks`, hook);
  receiver.trust(secret);
  const body = { type: 'http', config: { url: 'https://shop.example.com/' } };
  const create = (name: string) =>
    app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, { ...body, name });
  const monitor = await create('Before');
  const stream = await openEventStream(`${app.url}/organizations/${orgId}/events`, app.alice.cookie());
  stack.defer(() => stream.stop());
  const { revision } = await app.probe().assignments();

  await line.cut();
  for (const path of ['/me/organizations', `/monitors/${monitor.id}`, `/organizations/${orgId}/incidents`]) {
    const answer = await app.alice.send('GET', path);
    assert.equal(answer.status, 503, path);
    assertErrorBody(answer.body);
  }
  const credentials = { email: 'alice@example.com', password: PASSWORD };
  assert.equal((await app.visitor().send('POST', '/auth/sign-in/email', credentials)).status, 503);
  await line.mend();

  // Whatever was missed meanwhile comes when the server listens again: no change is waited for in vain.
  const after = await create('After');
  const waiting = await app.probe().assignments({ since: revision, wait: 25 });
  assert.deepEqual(
    waiting.monitors.map((a) => a.monitor_id),
    [after.id],
  );
  await stream.next((event) => event.data.monitor_id === after.id);
  const at = app.clock.ms();
  await app.probe().post([resultOf(after.id, at, 'down'), resultOf(after.id, at + 1, 'down')]);
  const [incident] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${after.id}/incidents`);
  const opened = await receiver.next((delivery) => delivery.event === 'opened');
  assert.deepEqual([opened.genuine, opened.body.incident?.id], [true, incident?.id]);
  const again = await app.probe().assignments({ since: waiting.revision, wait: 0 });
  const held = app.probe().assignments({ since: again.revision, wait: 25 });
  const third = await create('Third');
  assert.deepEqual(
    (await held).monitors.map((a) => a.monitor_id),
    [third.id],
  );
});
