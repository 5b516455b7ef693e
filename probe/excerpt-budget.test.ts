import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResponseExcerpt } from '../src/capsules/response-contract.ts';
import type { CheckOutcome } from './check-outcome.ts';
import { excerptBudget } from './excerpt-budget.ts';

const EXCERPT: ResponseExcerpt = {
  status_code: 500,
  headers: [],
  body: 'x'.repeat(850),
  body_kind: 'text',
  truncated: false,
  withheld: false,
  private: false,
};
const FAILED: CheckOutcome = { status: 'down', failure_class: 'http_status', response_excerpt: EXCERPT };
const tenant = (organizationId: string, ownerId?: string) => ({ organizationId, ownerId });

/** How many of a burst of answers have excerpts. */
function burst(
  excerpts: ReturnType<typeof excerptBudget>,
  whose: ReturnType<typeof tenant>,
  count = 20,
): number {
  const kept = Array.from({ length: count }, () => excerpts.keep(FAILED, whose));
  assert.ok(kept.every(({ status, failure_class }) => status === 'down' && failure_class === 'http_status'));
  return kept.filter(({ response_excerpt }) => response_excerpt !== undefined).length;
}

test('within a second one organization gets half of the budget, and leaves some to the next', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const excerpts = excerptBudget(10_000);
  t.after(() => excerpts.stop());
  const first = burst(excerpts, tenant('a'));
  assert.ok(first >= 4 && first <= 5, String(first));
  assert.ok(burst(excerpts, tenant('b')) >= 1);
  assert.equal(burst(excerpts, tenant('a'), 1), 0);
  t.mock.timers.tick(1_000);
  assert.equal(burst(excerpts, tenant('a')), first, 'the next second has excerpts again');
});

test('the organizations of one owner share one budget', (t) => {
  const excerpts = excerptBudget(10_000);
  t.after(() => excerpts.stop());
  const alone = burst(excerpts, tenant('a', 'o'));
  assert.ok(burst(excerpts, tenant('b', 'o')) < alone);
  assert.ok(burst(excerpts, tenant('c', 'p')) >= 1);
});

test('a fault of the probe itself carries no response', (t) => {
  const excerpts = excerptBudget();
  t.after(() => excerpts.stop());
  const kept = excerpts.keep({ ...FAILED, cause_layer: 'probe' }, tenant('a'));
  assert.equal(kept.response_excerpt, undefined);
});
