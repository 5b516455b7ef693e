import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { QueryObserver } from '@tanstack/react-query';
import { isBeingRead, markMissing, patch, readAgain } from './cached.ts';
import type { ApiError } from './call.ts';
import { queryClient } from './read.ts';

const queryKey = ['listMonitors', { project_id: 'prj_1' }];
type Monitor = { name: string; status: string };

/** A read that the test answers; `asked` counts the requests that the server received. */
function monitors() {
  const answers: ((list: Monitor[]) => void)[] = [];
  const queryFn = () => new Promise<Monitor[]>((resolve) => answers.push(resolve));
  return {
    queryFn,
    asked: () => answers.length,
    async answer(name: string, status = 'up') {
      answers.at(-1)?.([{ name, status }]);
      await new Promise(setImmediate);
    },
    shown: () =>
      queryClient.getQueryData<Monitor[]>(queryKey)?.map(({ name, status }) => `${name} ${status}`),
    isStale: () => queryClient.getQueryState(queryKey)?.isInvalidated,
    /** Mounts it, as a page does; returns a function that unmounts it. */
    show: () => new QueryObserver(queryClient, { queryKey, queryFn }).subscribe(() => undefined),
  };
}

const statusDown = () =>
  patch<Monitor[]>(['listMonitors'], (list) => list.map((monitor) => ({ ...monitor, status: 'down' })));

afterEach(() => queryClient.clear());

test('a stale list stays stale after a patch, and is refetched when it is shown next', async () => {
  const list = monitors();
  const leave = list.show();
  await list.answer('old name');
  leave();
  await readAgain({ queryKey });
  assert.equal(list.isStale(), true);
  statusDown();
  assert.deepEqual([list.shown(), list.isStale()], [['old name down'], true]);
  list.show();
  assert.equal(list.asked(), 2);
});

test('a patch does not make the data younger', async () => {
  const list = monitors();
  queryClient.setQueryData(queryKey, [{ name: 'a', status: 'up' }], { updatedAt: 1_000 });
  statusDown();
  assert.deepEqual([list.shown(), queryClient.getQueryState(queryKey)?.dataUpdatedAt], [['a down'], 1_000]);
});

test('a first request in flight is repeated', async () => {
  const list = monitors();
  list.show();
  void readAgain({ queryKey });
  await list.answer('old name');
  assert.equal(list.asked(), 2);
  await list.answer('new name');
  assert.deepEqual([list.shown(), list.asked(), list.isStale()], [['new name up'], 2, false]);
});

test('a request in flight for a page that was left is stale when it completes', async () => {
  const list = monitors();
  const leave = list.show();
  await list.answer('old name');
  void readAgain({ queryKey });
  leave();
  void readAgain({ queryKey });
  await list.answer('old name');
  assert.equal(list.isStale(), true);
});

test('a refetch in flight on screen is restarted at once', async () => {
  const list = monitors();
  list.show();
  await list.answer('old name');
  void readAgain({ queryKey });
  assert.equal(isBeingRead(['listMonitors']), true);
  void readAgain({ queryKey });
  assert.equal(list.asked(), 3);
  await list.answer('new name');
  assert.deepEqual([list.shown(), list.asked(), isBeingRead(['listMonitors'])], [['new name up'], 3, false]);
});

test('a deleted monitor is missing, though an answer from before its deletion was on its way', async () => {
  const list = monitors();
  list.show();
  await list.answer('old name');
  void readAgain({ queryKey });
  await markMissing(queryKey);
  await list.answer('old name');
  const { status, error } = queryClient.getQueryState(queryKey) ?? {};
  assert.deepEqual([status, (error as ApiError).status], ['error', 404]);
});
