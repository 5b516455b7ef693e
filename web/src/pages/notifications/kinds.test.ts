import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHANNEL_NAMES } from '#src/domain/names.ts';
import { CHANNELS } from '#src/notifications/channels/index.ts';
import { FAMILIES, kindsOf, offeredEvents, usualEvents } from './kinds.ts';

test('every kind is offered once, with the events that the server sends there', () => {
  assert.deepEqual(FAMILIES.flatMap(kindsOf).sort(), [...CHANNEL_NAMES].sort());
  for (const kind of CHANNEL_NAMES) {
    const offered = offeredEvents(kind);
    assert.deepEqual(
      offered.filter((event) => !CHANNELS[kind].carries(event)),
      [],
      kind,
    );
    assert.ok(
      usualEvents(kind).every((event) => offered.includes(event)),
      kind,
    );
  }
});
