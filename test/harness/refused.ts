// The required form of a refusal: the decided status, code and field, in the one error shape and nothing beside it.
import assert from 'node:assert/strict';
import type { ErrorBody } from '#src/platform/contract.ts';
import type { Answer } from './client.ts';

const FIELDS = ['error', 'message', 'field', 'limit', 'reason', 'request_id'];

/** Fails unless the body is the decided error body: stable code, English sentence that names the field. */
export function assertErrorBody(body: unknown): asserts body is ErrorBody {
  assert.ok(typeof body === 'object' && body !== null, `no error body: ${String(body)}`);
  const { error, message, field, limit, reason } = body as ErrorBody;
  assert.match(error, /^[a-z]+(_[a-z]+)*$/);
  assert.match(message, /^\S.*[.!?]$/s);
  assert.ok(field === undefined || typeof field === 'string');
  assert.ok(limit === undefined || Number.isSafeInteger(limit));
  assert.ok(reason === undefined || typeof reason === 'string');
  assert.deepEqual(
    Object.keys(body).filter((key) => !FIELDS.includes(key)),
    [],
  );
}

export type Expected = { status: number; error: string; field?: string; limit?: number; reason?: string };

/** Fails unless the answer is exactly this refusal; the sentence must name the field. */
export function assertRefused(answer: Answer, expected: Expected, what = ''): void {
  const body = answer.body;
  assertErrorBody(body);
  const { error, field, limit, reason, message } = body;
  const got = { status: answer.status, error, field, limit, reason };
  const wanted = { field: undefined, limit: undefined, reason: undefined, ...expected };
  assert.deepEqual(got, wanted, `${what} ${message}`);
  if (expected.field && expected.status !== 403)
    assert.ok(
      message.includes(expected.field.split('.').at(-1) ?? ''),
      `"${message}" does not name ${expected.field}`,
    );
}
