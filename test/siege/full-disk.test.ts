// A disk that really fills up, below a whole installation: results are refused before PostgreSQL breaks, and accepted again
// when there is room. Needs a separate file system to fill.
import assert from 'node:assert/strict';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSpool } from '#probe/spool.ts';
import { spoolStopsBelow } from '#src/domain/disk-space.ts';
import type { Result } from '#src/probe-protocol/contract.ts';
import { startInstallation } from '../harness/installation.ts';
import { smallDisk } from '../harness/small-disk.ts';
import { until } from '../harness/until.ts';

const MIB = 1024 * 1024;
/** A new installation takes more than half of it. */
const SIZE_MIB = 384;
/** The spool must leave a twentieth of it free, and checks that every megabyte. */
const SPOOL_DISK_MIB = 64;

test('a disk that fills up pauses results, the server continues, and with free space results are accepted again', async (t) => {
  await using stack = new AsyncDisposableStack();
  const disk = await smallDisk(SIZE_MIB);
  if (disk === null) return t.skip('a file system cannot be mounted here');
  stack.use(disk);
  const server = await startInstallation({ dataDir: join(disk.dir, 'data'), env: { LOCAL_PROBE: 'off' } });
  stack.defer(() => server.remove());
  const ready = async () =>
    (await (await fetch(`${server.url}/readyz`)).json()) as { ok: boolean; results: boolean };
  assert.deepEqual([(await ready()).ok, (await ready()).results], [true, true]);

  const ballast = join(disk.dir, 'ballast');
  const { bavail, bsize } = await statfs(disk.dir);
  // A tenth of it is reserved.
  await writeFile(ballast, Buffer.alloc(bavail * bsize - (SIZE_MIB / 20) * MIB));
  await until(async () => !(await ready()).results, 'results are refused', 60_000);
  const alice = await server.admin();
  assert.equal((await alice.send('GET', '/me')).status, 200);
  await alice.ok('POST', '/organizations', { name: 'Written all the same' });
  assert.equal((await ready()).ok, true);

  await rm(ballast);
  await until(async () => (await ready()).results, 'results are taken', 60_000);
  assert.match(server.output(), /full, or nearly/);
  assert.match(server.output(), /has space again/);
});

test('a probe whose results are refused does not fill the disk that it shares with the database', async (t) => {
  await using stack = new AsyncDisposableStack();
  const disk = await smallDisk(SPOOL_DISK_MIB);
  if (disk === null) return t.skip('a file system cannot be mounted here');
  stack.use(disk);
  const spool = await openSpool({ dir: join(disk.dir, 'spool'), log: () => undefined, nowMs: () => 0 });
  const detail = 'x'.repeat(900);
  let at = 0;
  const batch = (): Result[] =>
    Array.from({ length: 1_000 }, () => ({
      monitor_id: 'mon_1',
      checked_at_ms: ++at,
      status: 'down',
      detail,
    }));
  // Twice the size of the disk.
  for (let n = 0; n < 2 * SPOOL_DISK_MIB; n++) await spool.append(batch());
  const { bavail, blocks, bsize } = await statfs(disk.dir);
  const most = spoolStopsBelow(blocks * bsize);
  assert.ok(bavail * bsize > most / 2, `${bavail * bsize} bytes are left to the database`);
  assert.ok(bavail * bsize < 2 * most, 'the spool used what it may');
  const first = await spool.oldest();
  assert.equal(first?.results[0]?.checked_at_ms, 1, 'what came first is kept');
});
