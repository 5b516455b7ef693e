import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkHttp } from '../test/harness/http-check.ts';
import { httpServer } from '../test/harness/listeners.ts';
import { sharedBodies } from './bodies.ts';

test('one organization holds at most half of the bytes, and leaves room for another', () => {
  const bodies = sharedBodies(1000);
  const noisy = bodies.hold({ organizationId: 'noisy' });
  assert.equal(noisy.take(500), true);
  assert.equal(bodies.hold({ organizationId: 'noisy' }).take(1), false);
  const quiet = bodies.hold({ organizationId: 'quiet' });
  assert.equal(quiet.take(250), true);
  assert.equal(quiet.take(1), false);
  assert.equal(bodies.hold({ organizationId: 'third' }).take(125), true);
  noisy.give(100);
  noisy.end();
  noisy.end();
  quiet.end();
  assert.equal(bodies.heldBytes(), 125);
});

test('the organizations of one owner hold at most half of the bytes, and one leaves some to the others', () => {
  const bodies = sharedBodies(1600);
  const hold = (organizationId: string, ownerId: string) => bodies.hold({ organizationId, ownerId });
  const noisy = hold('noisy', 'mallory');
  assert.equal(noisy.take(700), true);
  assert.equal(noisy.take(51), false);
  assert.equal(hold('sibling', 'mallory').take(100), true);
  assert.equal(hold('third', 'mallory').take(1), false);
  assert.equal(hold('quiet', 'alice').take(400), true);
});

test('a body without room is this probe’s fault, and each check frees its bytes at the end', async (t) => {
  const text = 'a'.repeat(100_000);
  const port = await httpServer(t, ({ url }, response) => {
    if (url !== '/packed') return response.end(text);
    response.setHeader('content-encoding', 'gzip');
    response.end(gzipSync(text));
  });
  const bodies = sharedBodies(600_000);
  const keyword = { text: 'aaa', mode: 'contains' as const, case_sensitive: true };
  const see = (path: string, organizationId: string) =>
    checkHttp({ url: `http://127.0.0.1:${port}/${path}`, keyword }, { bodies, tenant: { organizationId } });
  for (const path of ['', 'packed']) assert.equal((await see(path, 'one')).status, 'up');
  assert.equal(bodies.heldBytes(), 0);
  const full = bodies.hold({ organizationId: 'one' });
  full.take(290_000);
  for (const path of ['', 'packed']) {
    const seen = await see(path, 'one');
    assert.deepEqual([seen.failure_class, seen.cause_layer], ['probe_busy', 'probe']);
    assert.equal((await see(path, 'other')).status, 'up');
  }
  assert.equal(bodies.heldBytes(), 290_000);
});
