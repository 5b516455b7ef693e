import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainProblemSentence as sentence } from '#src/domain/domain-problem.ts';
import { type Domain, domainStateOf, isServed, isSettled, stepsOf } from './domain-state.ts';

const NAMES = { domain: 'status.example.com', target: '0123.edge.example.net' };
const NONE = sentence({ kind: 'no_record' }, NAMES);
const OWN_PROXY = sentence({ kind: 'own_proxy' }, NAMES);

const PENDING: Domain = {
  ...{ status: 'pending', edge_synced: false },
  ...{ cert_status: null, last_error: null },
};
const VERIFIED: Domain = { ...PENDING, status: 'verified' };
const SYNCED: Domain = { ...VERIFIED, edge_synced: true };

const CASES: [Domain, string, string, { settled: boolean; served: boolean }][] = [
  [PENDING, 'waiting', 'current waiting waiting waiting', { settled: false, served: false }],
  [
    { ...PENDING, last_error: NONE },
    'pending',
    'current waiting waiting waiting',
    { settled: false, served: false },
  ],
  [
    { ...PENDING, status: 'failed', last_error: sentence({ kind: 'no_record' }, NAMES, 'pending') },
    'failed',
    'failed waiting waiting waiting',
    { settled: true, served: false },
  ],
  [
    { ...PENDING, status: 'failed', last_error: sentence({ kind: 'lost' }, NAMES) },
    'lost',
    'waiting failed waiting waiting',
    { settled: true, served: false },
  ],
  [VERIFIED, 'syncing', 'done done current waiting', { settled: false, served: false }],
  [SYNCED, 'certifying', 'done done done current', { settled: false, served: false }],
  [
    { ...SYNCED, cert_status: 'pending', last_error: 'The certificate authority has not issued it yet.' },
    'certifying',
    'done done done current',
    { settled: false, served: false },
  ],
  [
    { ...SYNCED, cert_status: 'failed', last_error: 'The edge got no certificate.' },
    'uncertified',
    'done done done failed',
    { settled: false, served: false },
  ],
  [{ ...SYNCED, cert_status: 'issued' }, 'online', 'done done done done', { settled: true, served: true }],
  [
    { ...SYNCED, cert_status: 'pending', last_error: OWN_PROXY },
    'own_proxy',
    'done done elsewhere elsewhere',
    { settled: true, served: true },
  ],
  [
    { ...SYNCED, cert_status: 'issued', last_error: NONE },
    'dangling',
    'failed done done done',
    { settled: false, served: true },
  ],
];

test('a domain’s state follows from its status, the edge and its certificate', () => {
  for (const [domain, kind, steps, { settled, served }] of CASES) {
    assert.equal(domainStateOf(domain).kind, kind);
    assert.equal(stepsOf(domain).join(' '), steps, kind);
    assert.deepEqual([isSettled(domain), isServed(domain)], [settled, served], kind);
  }
});

test('an unknown sentence is kept unchanged', () => {
  assert.deepEqual(domainStateOf({ ...PENDING, last_error: 'Something new.' }), {
    ...{ kind: 'pending', problem: { kind: 'unknown', why: 'Something new.' } },
  });
});
