import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { StopHooks } from './stop-hooks.ts';

test('what was started last is stopped first, and one that fails does not keep the others running', async () => {
  const stopped: string[] = [];
  const hooks = new StopHooks(createLog('silent'));
  hooks.add('database', async () => void stopped.push('database'));
  hooks.add('broken', () => Promise.reject(new Error('no')));
  hooks.add('server', async () => void stopped.push('server'));
  assert.equal(await hooks.stopAll(), false);
  assert.deepEqual(stopped, ['server', 'database']);
});

test('stopping twice stops once', async () => {
  let times = 0;
  const hooks = new StopHooks(createLog('silent'));
  hooks.add('one', async () => {
    times += 1;
  });
  assert.deepEqual(await Promise.all([hooks.stopAll(), hooks.stopAll()]), [true, true]);
  assert.equal(times, 1);
});
