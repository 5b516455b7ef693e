import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from './log.ts';
import { StopHooks } from './stop-hooks.ts';

test('hooks run in reverse order, and a failing one does not prevent the others', async () => {
  const stopped: string[] = [];
  const hooks = new StopHooks(createLog('silent'));
  hooks.add('database', async () => void stopped.push('database'));
  hooks.add('broken', () => Promise.reject(new Error('no')));
  hooks.add('server', async () => void stopped.push('server'));
  assert.equal(await hooks.stopAll(), false);
  assert.deepEqual(stopped, ['server', 'database']);
});

test('stopping twice runs the hooks once', async () => {
  let times = 0;
  const hooks = new StopHooks(createLog('silent'));
  hooks.add('one', async () => {
    times += 1;
  });
  assert.deepEqual(await Promise.all([hooks.stopAll(), hooks.stopAll()]), [true, true]);
  assert.equal(times, 1);
});
