import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AgentEvent } from '#src/agents/contract.ts';
import { eventKeys } from './event-keys.ts';

const event = (at_unix: number, kind: AgentEvent['kind'], detail = ''): AgentEvent => ({
  at_unix,
  kind,
  detail,
});

test('events of one second and kind have keys of their own, which they keep when newer ones come', () => {
  const known = [
    event(60, 'silent', 'a'),
    event(60, 'silent', 'b'),
    event(60, 'silent', 'b'),
    event(5, 'enrolled'),
  ];
  const keys = eventKeys(known);
  assert.equal(new Set(keys).size, 4);
  assert.deepEqual(eventKeys([event(60, 'silent', 'b'), ...known]).slice(1), keys);
});
