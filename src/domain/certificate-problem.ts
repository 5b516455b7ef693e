// Browser-safe. Why a custom domain has no certificate: as the sentence that is stored and shown
// (docs/rules/status-pages.md#the-edge), and back, so that the dashboard can say it in the reader's language.

export type CertificateProblem =
  /** Too many were ordered; `until`: the time of the next order, in words. */
  | { kind: 'limited'; until: string }
  | { kind: 'late' | 'foreign' | 'expired' | 'missing' }
  | { kind: 'unreached'; reason: string };

const LATE = 'The certificate authority has not issued the certificate yet.';
const EXPIRED = 'The certificate has expired, and the edge could not renew it. It is tried again by itself.';

/** The sentence of a problem, for whoever added the domain. */
export function certificateProblemSentence(problem: CertificateProblem, domain: string): string {
  switch (problem.kind) {
    case 'limited':
      return `Too many certificates were ordered within an hour; the next is ordered after ${problem.until}.`;
    case 'late':
      return LATE;
    case 'unreached':
      return `The edge could not be asked for the certificate (${problem.reason}); the operator of this installation has to see to it.`;
    case 'foreign':
      return `What answers at the edge is for another name than ${domain}; the operator of this installation has to see to it.`;
    case 'expired':
      return EXPIRED;
    case 'missing':
      return `The edge got no certificate for ${domain}. See that the domain leads nowhere but to its CNAME target, and that no CAA record forbids the certificate authority. It is tried again by itself.`;
  }
}

/** The problem that a sentence of `certificateProblemSentence` is about; null where it is about something else. */
export function readCertificateProblem(sentence: string): CertificateProblem | null {
  if (sentence === LATE) return { kind: 'late' };
  if (sentence === EXPIRED) return { kind: 'expired' };
  if (/^What answers at the edge is for another name than \S+; /.test(sentence)) return { kind: 'foreign' };
  if (/^The edge got no certificate for \S+\. /.test(sentence)) return { kind: 'missing' };
  const until = /^Too many certificates were ordered .+ ordered after (.+)\.$/.exec(sentence)?.[1];
  if (until !== undefined) return { kind: 'limited', until };
  const reason = /^The edge could not be asked for the certificate \((.+)\); /.exec(sentence)?.[1];
  return reason === undefined ? null : { kind: 'unreached', reason };
}
