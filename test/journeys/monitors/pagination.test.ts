// Lists that can grow come in pages that miss and double nothing (docs/rules/errors-and-conventions.md#lists-and-pages).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';

let app: TestApp;
let place: Place;
let owner: Person;
before(async () => {
  app = await startAppOfFile();
  owner = await app.person('olga');
  place = await app.place(owner);
  const at = `/organizations/${place.orgId}`;
  for (let i = 1; i <= 4; i++) {
    // Two of each at one instant: the order must not depend on the time alone.
    if (i === 3) app.clock.advance(1000);
    await owner.ok('POST', `${at}/projects`, { name: `Project ${i}` });
    await app.person(`member-${i}`, { [place.orgId]: 'member' });
    await owner.ok('POST', `${at}/invitations`, { email: `guest-${i}@example.com`, role: 'member' });
    await grantKey(app, place.orgId);
    const hook = { name: `Hook ${i}`, kind: 'webhook', url: 'http://127.0.0.1:9/x', events: ['opened'] };
    await owner.ok('POST', `${at}/webhooks`, hook);
  }
  const outage = { severity: 'degraded', cause: 'Slow' };
  incident = (await owner.ok<{ id: string }>('POST', `${at}/incidents`, outage)).id;
  const note = { kind: 'note', visibility: 'internal' };
  for (let i = 1; i <= 4; i++)
    await owner.ok('POST', `${at}/incidents/${incident}/notes`, { ...note, body: `${i}` });
});
let incident = '';

const LISTS = [
  ['incidents/{incident}/timeline', 'id', 5],
  ['incidents/{incident}/notes', 'id', 4],
  ['projects', 'id', 5],
  ['members', 'user_id', 5],
  ['invitations', 'id', 4],
  ['api-keys', 'id', 4],
  ['webhooks', 'id', 4],
] as const;

const pathOf = (noun: string) => `/organizations/${place.orgId}/${noun.replace('{incident}', incident)}`;

for (const [noun, id, count] of LISTS) {
  test(`the links of ${noun} lead through the whole list, each row once, in order`, async () => {
    const path = pathOf(noun);
    const whole = await owner.ok<Record<string, string>[]>('GET', path);
    assert.equal(whole.length, count);
    const rows: Record<string, string>[] = [];
    let next: string | undefined = `${path}?limit=2`;
    while (next) {
      const answer: Answer<Record<string, string>[]> = await owner.send('GET', next);
      assert.equal(answer.status, 200);
      assert.ok(answer.body.length <= 2);
      rows.push(...answer.body);
      next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(
      rows.map((row) => row[id]),
      whole.map((row) => row[id]),
    );
  });

  test(`${noun} after an unknown row is 404, and a limit over a thousand is refused`, async () => {
    const path = pathOf(noun);
    assertRefused(await owner.send('GET', `${path}?before=nobody`), { status: 404, error: 'not_found' });
    const refusal = { status: 400, error: 'invalid_request', field: 'limit' };
    assertRefused(await owner.send('GET', `${path}?limit=1001`), refusal);
  });
}
