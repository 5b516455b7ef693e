import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { silent } from '#test/harness/cluster.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { tcpServer } from '#test/harness/listeners.ts';
import { until } from '#test/harness/until.ts';
import { startListener } from './listener.ts';

/** A line to the test cluster that counts its connections. */
async function countedLine(t: TestContext, url: string) {
  const [, user, place = '', database] = /^postgres:\/\/([^@]+)@([^:/]+)(?::\d+)?\/(.+)$/.exec(url) ?? [];
  const path = `${decodeURIComponent(place)}/.s.PGSQL.5432`;
  const counted = { made: 0, open: new Set<Socket>() };
  const port = await tcpServer(t, (near) => {
    counted.made += 1;
    counted.open.add(near);
    const far = connect(path);
    near
      .on('error', () => undefined)
      .on('close', () => {
        counted.open.delete(near);
        far.destroy();
      });
    far.on('error', () => undefined).on('close', () => near.destroy());
    near.pipe(far).pipe(near);
  });
  return { counted, url: `postgres://${user}@127.0.0.1:${port}/${database}` };
}

test('attempts to listen again that are refused leave no connection behind', async (t) => {
  await using database = await freshDatabase();
  const { counted, url } = await countedLine(t, database.url);
  const listener = await startListener({ ...database.connection, connectionString: url }, silent);
  t.after(() => listener.stop());
  // It connects, and LISTEN is refused, as by a replica that is not promoted yet.
  listener.listen('no channel', () => undefined);
  listener.drop();
  await until(() => counted.made >= 5, 'further attempts');
  assert.ok(counted.open.size <= 1, `${counted.open.size} connections are open`);
});

test('a listener that cannot connect at first does not go on trying', async (t) => {
  const asked: number[] = [];
  const port = await tcpServer(t, (socket) => {
    asked.push(asked.length);
    socket.destroy();
  });
  const connectionString = `postgres://nobody@127.0.0.1:${port}/none`;
  t.mock.timers.enable({ apis: ['setTimeout'] });
  await assert.rejects(startListener({ connectionString }, silent));
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(1_000);
  }
  assert.equal(asked.length, 1);
});
