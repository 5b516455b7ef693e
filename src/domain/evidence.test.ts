import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Opened } from './confirmation-types.ts';
import { buildEvidence, type EvidenceInput, incidentWords, type LatestCheck } from './evidence.ts';

const opened: Opened = {
  kind: 'opened',
  reason: 'quorum_reached',
  startedAtMs: 95_900,
  failurePhaseStartedAtMs: 95_900,
  firstFailureAtMs: 60_100,
  triggeredAtMs: 95_900,
  failingRegions: ['a', 'b'],
  downRegions: ['a', 'b'],
  failedRegions: 2,
  reportingRegions: 3,
  expectedRegions: 3,
  requiredRegions: 2,
  consecutiveFailuresObserved: 2,
  consecutiveFailuresRequired: 2,
  minimumOutageSeconds: 0,
};

const check = (region: string, at: number, more: Partial<LatestCheck> = {}): LatestCheck => ({
  check_id: `${region}-${at}`,
  checked_at_unix: at,
  region,
  region_name: region.toUpperCase(),
  status: 'down',
  cause_layer: 'target_http',
  detail: 'Answered 503',
  latency_ms: 12,
  response_code: 503,
  failure_class: 'http_status',
  ...more,
});

const passing = {
  status: 'up',
  cause_layer: null,
  detail: null,
  response_code: 200,
  failure_class: null,
} as const;
const refused = {
  failure_class: 'connect_refused',
  cause_layer: 'target_connect',
  response_code: null,
} as const;

const input: EvidenceInput = {
  opened,
  monitor: {
    id: 'mon_1',
    name: 'Shop',
    type: 'http',
    config: { expected_status: ['200-299'], timeout_ms: 10_000 },
  },
  project: { id: 'prj_1', name: 'Web' },
  checks: [check('a', 60), check('b', 62), check('a', 90), check('b', 95), check('c', 91, passing)],
};
const withChecks = (...checks: LatestCheck[]): EvidenceInput => ({ ...input, checks });

test('evidence is the opened, its subject, and the deciding checks, newest first', () => {
  assert.deepEqual(buildEvidence(input), {
    version: 1,
    reason: 'quorum_reached',
    confirmation_state: 'confirmed',
    check_kind: 'http',
    failure_class: 'http_status',
    expected_summary: 'Expected a status in 200-299 within 10 s.',
    actual_summary: 'HTTP 503 (2 of 3 regions).',
    monitor_id: 'mon_1',
    monitor_name: 'Shop',
    project_id: 'prj_1',
    project_name: 'Web',
    first_failure_at_unix: 60,
    confirmed_outage_since_unix: 95,
    triggered_at_unix: 95,
    consecutive_failures_observed: 2,
    consecutive_failures_required: 2,
    expected_regions: 3,
    failed_regions: 2,
    reporting_regions: 3,
    required_regions: 2,
    minimum_confirmed_outage_seconds: 0,
    checks: [...input.checks]
      .sort((x, y) => y.checked_at_unix - x.checked_at_unix)
      .map(({ failure_class: _, region_name: __, ...entry }) => entry),
    findings: [
      {
        failure_class: 'http_status',
        expected_summary: 'Expected a status in 200-299 within 10 s.',
        actual_summary: 'HTTP 503 (2 of 3 regions).',
        occurrence_count: 4,
        latest_checked_at_unix: 95,
        regions: ['a', 'b'],
      },
    ],
  });
});

test('findings are grouped by failure class, the class with most regions first', () => {
  const { findings, failure_class, actual_summary } = buildEvidence(
    withChecks(
      check('c', 80, refused),
      check('c', 81, refused),
      check('c', 82, refused),
      check('a', 90),
      check('b', 95, { response_code: 502 }),
    ),
  );
  assert.deepEqual(
    findings.map((f) => [f.failure_class, f.occurrence_count, f.latest_checked_at_unix, f.regions]),
    [
      ['http_status', 2, 95, ['a', 'b']],
      ['connect_refused', 3, 82, ['c']],
    ],
  );
  assert.equal(findings[1]?.expected_summary, 'Expected a connection within 10 s.');
  assert.equal(failure_class, 'http_status');
  assert.equal(actual_summary, 'HTTP 502 and 503 (2 of 3 regions) and connection refused (1 of 3 regions).');
});

test('occurrences sum to the failing checks', () => {
  const { findings } = buildEvidence(input);
  const failing = input.checks.filter((entry) => entry.status === 'down').length;
  assert.equal(
    findings.reduce((sum, finding) => sum + finding.occurrence_count, 0),
    failing,
  );
});

test('a failure without a class is unknown, and a class without words is spelled out', () => {
  assert.equal(buildEvidence(withChecks(check('a', 90, { failure_class: null }))).failure_class, 'unknown');
  const odd = buildEvidence(withChecks(check('a', 90, { failure_class: 'queue_too_deep' })));
  assert.equal(odd.actual_summary, 'Queue too deep (1 of 3 regions).');
});

test('without a failing check the summary counts the regions', () => {
  const { actual_summary, findings, failure_class } = buildEvidence(withChecks());
  assert.deepEqual(
    [actual_summary, findings, failure_class],
    ['No passing check (2 of 3 regions).', [], 'unknown'],
  );
});

test('cause and summary of an incident in words', () => {
  assert.deepEqual(incidentWords(input), {
    cause: 'HTTP 503 (2 of 3 regions)',
    summary: 'Shop: HTTP 503 (2 of 3 regions). Expected a status in 200-299 within 10 s.',
  });
  assert.equal(
    incidentWords(withChecks(check('a', 90, refused))).cause,
    'Connection refused (1 of 3 regions)',
  );
});

test('the cause names the region if the monitor has only one', () => {
  const alone = {
    ...input,
    opened: { ...opened, expectedRegions: 1, failingRegions: ['a'] },
    checks: [check('a', 90)],
  };
  assert.equal(incidentWords(alone).cause, 'HTTP 503 (A)');
});

test('the cause of a monitor without regions names no region', () => {
  const alone = {
    ...input,
    monitor: { ...input.monitor, type: 'heartbeat', config: {} },
    opened: { ...opened, expectedRegions: 1, failingRegions: [''] },
    checks: [{ ...check('', 90), failure_class: 'heartbeat_missed' }],
  };
  assert.equal(incidentWords(alone).cause, 'No ping in time');
  assert.deepEqual(buildEvidence(alone).findings[0]?.regions, []);
});

for (const [config, words] of [
  [{ expected_status: ['200'], timeout_ms: 500 }, 'Expected a status of 200 within 0.5 s.'],
  [
    { expected_status: ['200-204', '301'], timeout_ms: 3000 },
    'Expected a status in 200-204 or 301 within 3 s.',
  ],
  [{}, 'Expected a status in 200-299.'],
] as const) {
  test(`the expectation with ${JSON.stringify(config)}: ${words}`, () => {
    assert.equal(buildEvidence({ ...input, monitor: { ...input.monitor, config } }).expected_summary, words);
  });
}

test('the evidence shares no mutable data with its input', () => {
  const checks = [check('a', 90)];
  const evidence = buildEvidence({ ...input, checks });
  if (checks[0]) checks[0].detail = 'changed';
  assert.equal(evidence.checks[0]?.detail, 'Answered 503');
});
