import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MonitorFacts, monitorState, pageState, sharedState } from './page-state.ts';

const WELL: MonitorFacts = {
  enabled: true,
  lastStatus: 'passed',
  hasNoData: false,
  inMaintenance: false,
  hasOpenIncident: false,
};

const MONITORS: [string, Partial<MonitorFacts>, string][] = [
  ['passes', {}, 'operational'],
  ['is degraded', { lastStatus: 'degraded' }, 'degraded'],
  ['is failed', { lastStatus: 'failed' }, 'major_outage'],
  ['is failed in maintenance', { lastStatus: 'failed', inMaintenance: true }, 'maintenance'],
  [
    'was an incident before maintenance began',
    { lastStatus: 'failed', inMaintenance: true, hasOpenIncident: true },
    'major_outage',
  ],
  ['is silent', { hasNoData: true }, 'no_data'],
  ['failed and is silent now', { lastStatus: 'failed', hasNoData: true }, 'no_data'],
  ['is silent in maintenance', { hasNoData: true, inMaintenance: true }, 'maintenance'],
  ['was never checked', { lastStatus: null }, 'no_data'],
  ['is disabled', { enabled: false }, 'no_data'],
  ['is disabled in maintenance', { enabled: false, inMaintenance: true }, 'no_data'],
];
for (const [what, facts, state] of MONITORS)
  test(`a monitor that ${what} is ${state}`, () => {
    assert.equal(monitorState({ ...WELL, ...facts }), state);
  });

const [up, slow, down, planned, silent] = [
  'operational',
  'degraded',
  'major_outage',
  'maintenance',
  'no_data',
] as const;

test('a group has a major outage if at least half of its reporting monitors are failed', () => {
  assert.equal(sharedState([down, up]), 'major_outage');
  assert.equal(sharedState([down, up, silent, silent]), 'major_outage');
  assert.equal(sharedState([down, up, planned]), 'partial_outage');
});

test('otherwise a group is as bad as its worst monitor', () => {
  assert.equal(sharedState([up, slow, planned]), 'degraded');
  assert.equal(sharedState([up, planned]), 'maintenance');
  assert.equal(sharedState([up, silent]), 'operational');
  assert.equal(sharedState([silent]), 'no_data');
  assert.equal(sharedState([]), 'no_data');
});

test('a linked open incident worsens the page’s state, and never improves it', () => {
  assert.equal(pageState([up], ['default']), 'degraded');
  assert.equal(pageState([up], ['default', 'critical']), 'partial_outage');
  assert.equal(pageState([down], ['default']), 'major_outage');
  assert.equal(pageState([], ['critical']), 'partial_outage');
});
