// A connection that is lost silently: a request was sent, and its answer never comes.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testMonitor } from '#src/check-now/contract.ts';
import { exportOrganization } from '#src/organization-export/contract.ts';
import { createProject, listProjects, renameProject } from '#src/projects/contract.ts';
import { type ApiError, callForDownload } from './call.ts';
import { queryClient, read } from './read.ts';
import { send } from './write.ts';

/** Requests that are sent and never answered, or only with the beginning of `reply`. */
function loseAnswers(
  t: TestContext,
  reply?: { body: ReadableStream<Uint8Array>; cut: (reason: unknown) => void },
): { sent: string[]; pass: (ms: number) => Promise<void> } {
  const sent: string[] = [];
  const real = globalThis.fetch;
  globalThis.fetch = (path, { method, signal } = {}) => {
    sent.push(`${method} ${path}`);
    return new Promise((resolve, reject) => {
      if (reply) resolve(new Response(reply.body));
      signal?.addEventListener('abort', () => {
        reject(signal.reason);
        reply?.cut(signal.reason);
      });
    });
  };
  t.mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => {
    globalThis.fetch = real;
    queryClient.clear();
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    sent,
    async pass(ms) {
      await settled();
      t.mock.timers.tick(ms);
      await settled();
    },
  };
}

/** How a call ended: `waiting` while it has not. */
function follow(asked: Promise<unknown>): () => string {
  let end = 'waiting';
  asked.then(
    () => {
      end = 'answered';
    },
    (error: ApiError) => {
      end = error.code;
    },
  );
  return () => end;
}

const params = { org_id: 'org_1' };

test('a write without an answer ends, says that it may have been done, and is not sent again', async (t) => {
  const { sent, pass } = loseAnswers(t);
  const { queryKey } = read(listProjects, { params });
  queryClient.setQueryData(queryKey, []);
  const end = follow(send(createProject, { params, body: { name: 'Shop' } }));
  await pass(59_000);
  assert.equal(end(), 'waiting');
  await pass(1_000);
  assert.equal(end(), 'unanswered');
  assert.deepEqual(sent, ['POST /organizations/org_1/projects']);
  assert.equal(
    queryClient.getQueryState(queryKey)?.isInvalidated,
    true,
    'the list shows whether it was done',
  );
});

test('a write that changes nothing when it is repeated asks to try again', async (t) => {
  const { pass } = loseAnswers(t);
  const end = follow(send(renameProject, { params: { project_id: 'prj_1' }, body: { name: 'Shop' } }));
  await pass(60_000);
  assert.equal(end(), 'unreachable');
});

test('a test of a monitor may take as long as the longest timeout of a monitor', async (t) => {
  const { pass } = loseAnswers(t);
  const body = { type: 'http', config: { url: 'https://shop.example.com/' }, regions: ['local'] } as never;
  const end = follow(send(testMonitor, { params: { project_id: 'prj_1' }, body }));
  await pass(310_000);
  assert.equal(end(), 'waiting');
  await pass(20_000);
  assert.equal(end(), 'unanswered');
});

test('a download ends when nothing more comes, however much came before', async (t) => {
  let more: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      more = controller;
    },
  });
  const { pass } = loseAnswers(t, { body, cut: (reason) => more?.error(reason) });
  const got: number[] = [];
  const end = follow(callForDownload(exportOrganization, { params } as never, (bytes) => got.push(bytes)));
  for (const expected of [1, 2]) {
    await pass(50_000);
    more?.enqueue(new Uint8Array(1));
    await pass(0);
    assert.equal(got.at(-1), expected);
  }
  await pass(59_000);
  assert.equal(end(), 'waiting');
  await pass(1_000);
  assert.equal(end(), 'unreachable');
});
