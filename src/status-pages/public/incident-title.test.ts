import assert from 'node:assert/strict';
import { test } from 'node:test';
import { incidentTitle, isolated } from './incident-title.ts';
import { AT, affectedBy, incidentOf } from './snapshot.testing.ts';
import { WORDS } from './words.ts';

const titled = (labels: string[], severity: 'critical' | 'default' | 'degraded' = 'critical') => [
  incidentTitle(WORDS.en, incidentOf(1, { monitors: affectedBy(labels), severity })),
  incidentTitle(WORDS.de, incidentOf(1, { monitors: affectedBy(labels), severity })),
];

test('a title is the severity and the labels, at most two of them', () => {
  assert.deepEqual(titled([]), ['Outage', 'Ausfall']);
  assert.deepEqual(titled(['Web'], 'default'), ['Incident: Web', 'Störung: Web']);
  assert.deepEqual(titled(['Web', 'Mail'], 'degraded'), [
    'Degraded: Web and Mail',
    'Beeinträchtigung: Web und Mail',
  ]);
  assert.deepEqual(titled(['Web', 'Mail', 'DNS']), ['Outage: Web and 2 more', 'Ausfall: Web und 2 weitere']);
});

test('a published post-mortem provides the title, in one line', () => {
  const postmortem = {
    ...{ title: 'How we lost\nthe orders', summary: '', impact: '', rootCause: '', contributingFactors: '' },
    ...{ whatWentWell: '', whatWentWrong: '', lessons: '', publishedAt: AT, changedAt: AT },
  };
  assert.equal(incidentTitle(WORDS.en, incidentOf(1, { postmortem })), 'How we lost the orders');
  const untitled = incidentOf(1, { postmortem: { ...postmortem, title: '' } });
  assert.equal(incidentTitle(WORDS.en, untitled), 'Outage: Checkout');
});

test('direction characters of a label affect only the label', () => {
  assert.equal(isolated('\u202eevil\u2066'), 'evil');
  assert.equal(isolated('نظام\u202e'), '\u2068نظام\u2069');
});
