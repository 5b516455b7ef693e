import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DomainProblem, domainProblemSentence, readDomainProblem } from './domain-problem.ts';

const NAMES = { domain: 'status.example.com', target: '0123.edge.example.net' };
const PROBLEMS: DomainProblem[] = [
  { kind: 'points_elsewhere', to: 'old.example.org' },
  { kind: 'points_elsewhere', to: 'odd, not at all.example.org' },
  { kind: 'no_record' },
  { kind: 'unknown', why: 'its name servers failed (SERVFAIL)' },
  { kind: 'lost' },
  { kind: 'own_proxy' },
];

test('every problem is parsed back from its sentence, whatever its end', () => {
  for (const problem of PROBLEMS)
    for (const end of ['pending', 'verified', undefined] as const)
      assert.deepEqual(readDomainProblem(domainProblemSentence(problem, NAMES, end)), {
        problem,
        end: end ?? null,
      });
});

test('another sentence is none of these problems', () => {
  for (const sentence of [
    '',
    'The certificate authority has not issued the certificate yet.',
    'status.example.com has no CNAME record.',
    'It has been so for seven days.',
  ])
    assert.equal(readDomainProblem(sentence), null, sentence);
});
