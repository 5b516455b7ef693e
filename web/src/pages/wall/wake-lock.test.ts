import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepAwake, type Lock } from './wake-lock.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A screen whose requests are answered by hand. */
function screen() {
  const asked: PromiseWithResolvers<Lock>[] = [];
  const held = new Set<Lock>();
  const said: boolean[] = [];
  const state = { isVisible: true };
  function grant(): { byItself: () => void } {
    let onRelease = () => {};
    const lock: Lock = {
      get released() {
        return !held.has(lock);
      },
      release: async () => void held.delete(lock),
      addEventListener: (_, listener) => {
        onRelease = listener;
      },
    };
    held.add(lock);
    asked.at(-1)?.resolve(lock);
    return {
      byItself() {
        held.delete(lock);
        onRelease();
      },
    };
  }
  const awake = keepAwake({
    isVisible: () => state.isVisible,
    request: () => {
      asked.push(Promise.withResolvers());
      return asked.at(-1)!.promise;
    },
    say: (isAwake) => said.push(isAwake),
  });
  return { asked, held, said, state, grant, awake };
}

test('asked twice at once it holds one lock, and lets it go at the end', async () => {
  const { asked, held, said, grant, awake } = screen();
  awake.look();
  awake.look();
  grant();
  await settled();
  assert.deepEqual([asked.length, held.size, said], [1, 1, [true]]);
  awake.end();
  assert.equal(held.size, 0);
});

test('a refusal of a page that was hidden meanwhile is not the last word once it is shown', async () => {
  const { asked, said, grant, awake } = screen();
  awake.look();
  awake.look();
  asked[0]?.reject(new Error('hidden'));
  await settled();
  assert.equal(asked.length, 2);
  grant();
  await settled();
  assert.deepEqual(said, [false, true]);
});

test('a lock that the system takes from a visible page is asked for again, and a refusal is said', async () => {
  const { asked, said, state, grant, awake } = screen();
  awake.look();
  const lock = grant();
  await settled();
  lock.byItself();
  assert.equal(asked.length, 2);
  asked[1]?.reject(new Error('low battery'));
  await settled();
  assert.deepEqual(said, [true, false]);
  state.isVisible = false;
  awake.look();
  assert.equal(asked.length, 2, 'a hidden page asks for nothing');
});

test('a lock that comes after the end is let go', async () => {
  const { held, said, grant, awake } = screen();
  awake.look();
  awake.end();
  grant();
  await settled();
  assert.deepEqual([held.size, said], [0, []]);
});
