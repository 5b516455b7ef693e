import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from './call.ts';
import { queryClient } from './read.ts';

const { retry, retryDelay } = queryClient.getDefaultOptions().queries as {
  retry: (failures: number, error: unknown) => boolean;
  retryDelay: (failures: number, error: unknown) => number;
};
const refusal = (status: number, after?: number) => new ApiError(status, { error: 'x', message: 'x' }, after);

test('a read refused for lack of capacity is retried when the server says, and not for ever', () => {
  const limited = refusal(429, 7);
  assert.deepEqual([retry(0, limited), retry(1, limited), retry(2, limited)], [true, true, false]);
  assert.equal(retryDelay(0, limited), 7_000);
  assert.equal(retryDelay(0, refusal(429, 3600)), 60_000);
});

test('a permanent refusal is not retried; an unreachable server is, with increasing delays', () => {
  assert.equal(retry(0, refusal(403)), false);
  assert.deepEqual([retry(0, refusal(0)), retry(0, refusal(503))], [true, true]);
  assert.deepEqual([retryDelay(0, refusal(0)), retryDelay(1, refusal(0))], [1000, 2000]);
});
