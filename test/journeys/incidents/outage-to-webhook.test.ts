// The main job, end to end, as a user has it: a real installation, a real server that breaks, a receiver that verifies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { runOutage } from '#test/outage.ts';

test('a server that breaks and recovers causes one incident and two signed deliveries', async () => {
  const lines: string[] = [];
  const { opened, resolved, incident, afterRecovery, tookMs } = await runOutage((line) => lines.push(line));
  const during = incident as unknown as IncidentDetail;
  const after = afterRecovery as unknown as IncidentDetail;

  assert.ok(opened.genuine && resolved.genuine, 'a signature is forged');
  assert.deepEqual([opened.body.incident?.id, resolved.body.incident?.id], [during.id, during.id]);
  assert.notEqual(opened.id, resolved.id);
  assert.deepEqual(
    [during.status, during.lifecycle_state, during.down_regions],
    ['open', 'triggered', ['local']],
  );
  assert.deepEqual(
    [after.status, after.auto_resolved, after.started_at_unix],
    ['closed', true, during.started_at_unix],
  );
  const { evidence } = during;
  assert.deepEqual(after.evidence, evidence);
  assert.deepEqual([evidence?.failure_class, evidence?.consecutive_failures_observed], ['http_status', 2]);
  assert.deepEqual(
    evidence?.checks.slice(0, 2).map((check) => check.response_code),
    [503, 503],
  );
  for (const [step, ms] of Object.entries(tookMs)) assert.ok(ms >= 0 && ms < 10_000, `${step} took ${ms} ms`);
  assert.ok(lines.length > 0);
});
