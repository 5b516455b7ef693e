import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { diskReader } from './disks.ts';

test('a disk that does not answer costs its own reading only, is named once, and comes back', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const asked: string[] = [];
  const broken = Promise.withResolvers<void>();
  const said: unknown[] = [];
  const read = diskReader(
    (_level, _message, fields) => void said.push(fields),
    async (mount) => {
      asked.push(mount);
      if (mount === '/broken') await broken.promise;
      return { blocks: 100, bfree: 50, bavail: 50 };
    },
  );
  const look = async () => {
    const disks = read(['/', '/broken']);
    await turn();
    t.mock.timers.tick(5_000);
    return (await disks).map(({ mount }) => mount);
  };
  assert.deepEqual(await look(), ['/']);
  assert.deepEqual(await look(), ['/']);
  assert.deepEqual(said, [{ mount: '/broken' }]);
  assert.deepEqual(asked, ['/', '/broken', '/'], 'it is not asked again while it has not answered');
  broken.resolve();
  await turn();
  assert.deepEqual(await look(), ['/', '/broken']);
});
