import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatsFor } from '#web/format.ts';
import { inNamedZone } from './zones.ts';

const HANDOVER = Date.UTC(2026, 10, 29, 23) / 1_000;
const said = (own: string, zone = 'Europe/Berlin') => inNamedZone(formatsFor('en-GB'), HANDOVER, zone, own);

test('a moment names its zone where the reader’s clock shows another time', () => {
  for (const own of ['UTC', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Chatham'])
    assert.equal(said(own), 'Mon 30 Nov, 00:00 (Europe/Berlin)');
  assert.equal(said('UTC', 'America/St_Johns'), 'Sun 29 Nov, 19:30 (America/St Johns)');
});

test('it does not where both clocks agree, in whatever zone', () => {
  assert.equal(said('Europe/Berlin'), 'Mon 30 Nov, 00:00');
  assert.equal(said('Europe/Paris'), 'Mon 30 Nov, 00:00');
});
