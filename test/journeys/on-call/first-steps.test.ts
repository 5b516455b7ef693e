// What an organization lacks until somebody would be notified, and has been (docs/rules/on-call-and-alarms.md#first-steps).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FirstSteps } from '#src/first-steps/contract.ts';
import { startAppOfFile } from '#test/harness/app.ts';
import { startReceiver } from '#test/harness/receiver.ts';

test('each step follows the organization, comes back when it is undone, and is hidden for one person only', async (t) => {
  const app = await startAppOfFile();
  const { orgId, projectId } = await app.place();
  const org = `/organizations/${orgId}`;
  const bob = await app.person('bob', { [orgId]: 'member' });
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const read = (person = app.alice) => person.ok<FirstSteps>('GET', `${org}/first-steps`);
  const done = async () => (await read()).steps.flatMap(({ step, done }) => (done ? [step] : []));
  assert.deepEqual(await done(), []);

  const url = 'https://shop.example.com/';
  await app.alice.ok('POST', `/projects/${projectId}/monitors`, {
    name: 'Shop',
    type: 'http',
    config: { url },
  });
  assert.deepEqual(await done(), ['monitor']);

  const events = ['opened', 'resolved'];
  const hook = { name: 'Chat', kind: 'webhook', url: receiver.url, events };
  const target = await app.alice.ok<{ id: string; secret: string }>('POST', `${org}/webhooks`, hook);
  assert.deepEqual(await done(), ['monitor', 'channel'], 'a channel, and no person');
  receiver.trust(target.secret);
  await app.alice.ok('POST', `${org}/webhooks/${target.id}/test`);
  assert.deepEqual(await done(), ['monitor', 'channel', 'message']);

  const credential = 'R0UT1NGK3YR0UT1NGK3YR0UT1NGK3Y12';
  const pager = { name: 'Pager', kind: 'pagerduty', credential, events };
  const { id } = await app.alice.ok<{ id: string }>('POST', `${org}/webhooks`, pager);
  assert.equal((await read()).done, true);
  await app.alice.ok('DELETE', `${org}/webhooks/${id}`);
  assert.deepEqual([(await read()).done, await done()], [false, ['monitor', 'channel', 'message']]);

  await app.alice.ok('POST', `${org}/first-steps/hide`);
  assert.deepEqual([(await read()).hidden, (await read(bob)).hidden], [true, false]);
});
