import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type CertificateProblem,
  certificateProblemSentence,
  readCertificateProblem,
} from './certificate-problem.ts';

const PROBLEMS: CertificateProblem[] = [
  { kind: 'limited', until: '2026-11-21 23:06 UTC' },
  { kind: 'late' },
  { kind: 'unreached', reason: 'connection refused (odd)' },
  { kind: 'foreign' },
  { kind: 'expired' },
  { kind: 'missing' },
];

test('every problem is parsed back from its sentence', () => {
  for (const problem of PROBLEMS)
    assert.deepEqual(
      readCertificateProblem(certificateProblemSentence(problem, 'status.example.com')),
      problem,
    );
});

test('another sentence is none of these problems', () => {
  for (const sentence of ['', 'The edge got no certificate.', 'status.example.com has no CNAME record.'])
    assert.equal(readCertificateProblem(sentence), null, sentence);
});
