import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { createLog } from '../platform/log.ts';
import { keepRunning } from './child.ts';

const silent = createLog('silent');
const idle = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });

test('a killed child is restarted, and stops for good when asked', async () => {
  const pids: number[] = [];
  const second = Promise.withResolvers<void>();
  const kept = keepRunning(
    'child',
    () => {
      const child = idle();
      pids.push(child.pid!);
      if (pids.length === 2) second.resolve();
      return child;
    },
    silent,
  );
  try {
    process.kill(pids[0]!, 'SIGKILL');
    await second.promise;
    assert.equal(kept.pid(), pids[1]);
  } finally {
    await kept.stop();
  }
  assert.equal(kept.pid(), null);
  assert.throws(() => process.kill(pids[1]!, 0), { code: 'ESRCH' });
  assert.equal(pids.length, 2);
});

test('a program that fails to start does not end the server', async () => {
  const kept = keepRunning('child', () => spawn('/nonexistent/program'), silent);
  await new Promise((next) => setImmediate(next));
  await kept.stop();
  assert.equal(kept.pid(), null);
});
