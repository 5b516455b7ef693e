import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import { wordsOf } from '#test/harness/one-check.ts';
import type { Finding } from '../check-outcome.ts';
import { type RunningCheck, runCheck } from './run-check.ts';

const POLICY = { policy: { allowPrivate: true } };
const LIMITS = { timeout_ms: 1_000, degraded_after_ms: null };
const finding = (failureClass: string, status?: Finding['status']): Finding => ({
  failureClass,
  layer: 'target_app',
  detail: failureClass,
  ...(status ? { status } : {}),
});
const said = { expected: 'this', actual: 'that' };

const observed = (
  body: (running: RunningCheck) => Promise<void>,
  limits: Partial<typeof LIMITS> | object = {},
) => runCheck({ ...LIMITS, ...limits }, POLICY, 'target_app', body);

test('down precedes degraded, and among equals the first one counts', async () => {
  const seen = await observed(async ({ judge }) => {
    judge('a', said, finding('first_degraded', 'degraded'));
    judge('b', said, finding('first_down'));
    judge('c', said, finding('second_down'));
  });
  assert.equal(wordsOf(seen), 'down first_down target_app');
  const degraded = await observed(async ({ judge }) => {
    judge('a', said, finding('first_degraded', 'degraded'));
    judge('b', said, finding('second_degraded', 'degraded'));
  });
  assert.equal(wordsOf(degraded), 'degraded first_degraded target_app');
});

test('measurements are kept when a later step fails', async () => {
  const seen = await observed(async ({ timings, measured }) => {
    timings.connect = 1.6;
    measured.metricValue = 3.25;
    measured.responseCode = 250;
    measured.latencyMs = null;
    throw new OutboundFailure('tls_handshake', 'target_tls', 'no\r\nluck\0');
  });
  const { timings_ms: timings, ...rest } = seen;
  assert.deepEqual(rest, {
    status: 'down',
    response_code: 250,
    metric_value: 3.25,
    failure_class: 'tls_handshake',
    cause_layer: 'target_tls',
    detail: 'no luck',
  });
  assert.equal(timings?.connect, 2);
});

test('an unexpected error is the probe’s own fault, without its message', async () => {
  const seen = await observed(async () => {
    throw new TypeError('secret of the inside');
  });
  assert.equal(wordsOf(seen), 'down probe_error probe');
  assert.doesNotMatch(JSON.stringify(seen), /secret/);
});

test('a slow check is degraded by its own latency, and never hides a failure', async () => {
  const slow = { degraded_after_ms: 10 };
  const passing = await observed(async ({ measured }) => {
    measured.latencyMs = 10.6;
  }, slow);
  assert.equal(wordsOf(passing), 'degraded slow target_app');
  assert.equal(passing.detail, 'Took 11 ms; degraded after 10 ms');
  const quick = await observed(async ({ measured }) => {
    measured.latencyMs = 9;
  }, slow);
  assert.equal(quick.status, 'up');
  const down = await observed(async ({ measured, judge }) => {
    measured.latencyMs = 99;
    judge('a', said, finding('wrong'));
  }, slow);
  assert.equal(wordsOf(down), 'down wrong target_app');
});

test('a hanging body ends at its deadline, and the detail says so', async () => {
  let over: AbortSignal | undefined;
  const seen = await observed(
    async ({ signal }) => {
      over = signal;
      await new Promise(() => undefined);
    },
    { timeout_ms: 100 },
  );
  assert.equal(wordsOf(seen), 'down answer_timeout target_app');
  assert.equal(over?.aborted, true);
});

test('a check on demand gets its steps in order, within bounds, and the reason of an early end', async () => {
  const judgements: Judgement[] = [];
  await runCheck(
    { timeout_ms: 1_000, degraded_after_ms: 500 },
    { ...POLICY, judged: (one) => judgements.push(one) },
    'target_app',
    async ({ judge }) => {
      assert.equal(judge('good', said), true);
      assert.equal(
        judge('bad', { expected: 'x', actual: 'y'.repeat(9_000) }, finding('bad', 'degraded')),
        false,
      );
      throw new OutboundFailure('connection_reset', 'target_app', 'reset');
    },
  );
  assert.deepEqual(
    judgements.map(({ what, actual, ok }) => [what, actual.length, ok]),
    [
      ['good', 4, true],
      ['bad', 1024, false],
      ['Answer', 5, false],
    ],
  );
});
