import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf, GO_KEYS, type PressedKey, SEQUENCE_TIMEOUT_MS } from './keys.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isComposing: false };
const pressed = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  timeStamp: 0,
  ...plain,
  ...more,
});

/** The meanings of keys pressed in sequence. */
function commands(...keys: PressedKey[]) {
  let goAt: number | null = null;
  return keys.map((key) => {
    const { command, goAt: next } = commandOf(key, goAt);
    goAt = next;
    return command === null ? null : command.do === 'go' ? command.place : command.do;
  });
}

test('single keys open the help, focus the search, and move through a list', () => {
  const meant = commands(pressed('?', { shiftKey: true }), pressed('/'), pressed('j'), pressed('k'));
  assert.deepEqual(meant, ['help', 'search', 'next', 'previous']);
});

test('a key after "g" opens its page; a key without a page does nothing', () => {
  for (const [key, place] of Object.entries(GO_KEYS))
    assert.deepEqual(commands(pressed('g'), pressed(key)), [null, place]);
  assert.deepEqual(commands(pressed('g'), pressed('x'), pressed('m')), [null, null, null]);
});

test('after a while "g" is forgotten', () => {
  assert.deepEqual(commands(pressed('g'), pressed('i', { timeStamp: SEQUENCE_TIMEOUT_MS })), [
    null,
    'incidents',
  ]);
  assert.deepEqual(commands(pressed('g'), pressed('i', { timeStamp: SEQUENCE_TIMEOUT_MS + 1 })), [
    null,
    null,
  ]);
});

test('with a modifier held, or during composition, no key does anything', () => {
  for (const held of ['ctrlKey', 'metaKey', 'altKey', 'isComposing'] as const)
    for (const key of ['?', '/', 'j', 'k', 'g'])
      assert.deepEqual(commandOf(pressed(key, { [held]: true }), null), { command: null, goAt: null });
  assert.deepEqual(commands(pressed('J', { shiftKey: true })), [null]);
});

test('pressing Shift for a key does not cancel "g"', () => {
  assert.deepEqual(commands(pressed('g'), pressed('Shift', { shiftKey: true }), pressed('m')), [
    null,
    null,
    'monitors',
  ]);
});
