// Results that are not newer than what is stored of their region are history, now and later (docs/rules/confirmation.md#results).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { reportHistory } from '#test/harness/history-line.ts';
import { resultOf } from '#test/harness/probe.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile({ env: { LOCAL_PROBE: 'off' } });
  place = await app.place();
  for (const region of ['a', 'b', 'c']) await app.region(region);
});

test('old results that arrived while a monitor was healthy open no incident when it fails later', async () => {
  const incidents = await reportHistory(app, place, {
    line: 'b- c+ b+ a+ c+ c+@4 c~@2.96 c+ a+ b- c+ b+ b+ c+ c+ a~ a+ b+ a+ c+ c+ c-@19.12 c-@17.13 b+ b+ c+ b+ b+@24.93 b+@26 b+ b- b- c- b- a- a-',
    policy: {
      alarm_consecutive: 1,
      alarm_quorum_mode: 'percent',
      alarm_quorum_value: 34,
      recovery_consecutive: 1,
      recovery_quorum_mode: 'majority',
    },
  });
  assert.equal(incidents.length, 1);
});

test('an old failure that arrived while a monitor was healthy does not backdate a later outage', async () => {
  const incidents = await reportHistory(app, place, {
    line: 'a+ b+ c+ c+ b-@0 c+ a- c- c- a- c- b- b- a- a- b- a- c+ b+ b+ b+ a+ a+ c- b+ b+ b+ b- b+ c+ b+ a+ a+@31 b+ a+ a+',
    policy: { alarm_consecutive: 1, alarm_quorum_mode: 'all', recovery_consecutive: 2 },
  });
  assert.equal(incidents[0]?.startedStep, 12);
});

test('a result that is sent again beside an older one does not make the older one fresh', async () => {
  const { id } = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name: 'Sent again',
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    regions: ['a'],
    policy: { alarm_consecutive: 1 },
  });
  const atMs = app.clock.ms();
  app.clock.advance(10_000);
  for (const seconds of [1, 5])
    await app.probe('a').post([resultOf(id, atMs + seconds * 1000, { status: 'up' })]);
  await app
    .probe('a')
    .post([resultOf(id, atMs + 3000, { status: 'down' }), resultOf(id, atMs + 5000, { status: 'up' })]);
  assert.deepEqual(await app.alice.ok('GET', `/monitors/${id}/incidents`), []);
});
