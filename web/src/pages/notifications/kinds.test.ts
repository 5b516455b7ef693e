import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WEBHOOK_KINDS } from '#src/domain/names.ts';
import { CHANNELS } from '#src/notifications/channels/index.ts';
import { FAMILIES, kindsOf, offeredEvents, usualEvents } from './kinds.ts';

test('every kind is offered once, with the events that the server carries there', () => {
  assert.deepEqual(FAMILIES.flatMap(kindsOf).sort(), [...WEBHOOK_KINDS].sort());
  for (const kind of WEBHOOK_KINDS) {
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
