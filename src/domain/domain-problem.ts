// Browser-safe. Why a custom domain is not verified, or not looked after by us: as the sentence that is stored and shown
// (docs/rules/status-pages.md#custom-domains), and back, so that the dashboard can say it in the reader's language.

export type DomainProblem =
  | { kind: 'points_elsewhere'; to: string }
  | { kind: 'no_record' }
  /** DNS said nothing that could be relied on. */
  | { kind: 'unknown'; why: string }
  /** Another organization verified the name first. */
  | { kind: 'lost' }
  /** A proxy of the operator's serves the certificate (EDGE=none). */
  | { kind: 'own_proxy' };

/** The period that the problem ended: the 72 hours of a pending domain, or the seven days of a verified one. */
export type DomainEnd = 'pending' | 'verified';

const ENDS: Readonly<Record<DomainEnd, string>> = {
  pending: ' It was looked up for 72 hours: verify it again once the record is set.',
  verified: ' It has been so for seven days.',
};

const LOST =
  'Another organization of this installation verified this domain first. It becomes free seven days after its record points elsewhere.';
const OWN_PROXY =
  'Your own proxy serves the certificate of this domain (EDGE=none): Tocsin answers to the name, and knows nothing of the certificate.';

/** The sentence of a problem, for whoever set the record. `target`: what the record has to point at. */
export function domainProblemSentence(
  problem: DomainProblem,
  { domain, target }: { domain: string; target: string },
  end?: DomainEnd,
): string {
  return `${sentenceOf(problem, domain, target)}${end === undefined ? '' : ENDS[end]}`;
}

function sentenceOf(problem: DomainProblem, domain: string, target: string): string {
  switch (problem.kind) {
    case 'points_elsewhere':
      return `The CNAME record of ${domain} points at ${problem.to}, not at ${target}.`;
    case 'no_record':
      return `${domain} has no CNAME record. It has to point at ${target}.`;
    case 'unknown':
      return `The CNAME record of ${domain} could not be looked up: ${problem.why}.`;
    case 'lost':
      return LOST;
    case 'own_proxy':
      return OWN_PROXY;
  }
}

/** The problem that a sentence of `domainProblemSentence` is about; null where it is about something else. */
export function readDomainProblem(
  sentence: string,
): { problem: DomainProblem; end: DomainEnd | null } | null {
  const end = (['pending', 'verified'] as const).find((each) => sentence.endsWith(ENDS[each])) ?? null;
  const problem = problemIn(end === null ? sentence : sentence.slice(0, -ENDS[end].length));
  return problem === null ? null : { problem, end };
}

function problemIn(sentence: string): DomainProblem | null {
  if (sentence === LOST) return { kind: 'lost' };
  if (sentence === OWN_PROXY) return { kind: 'own_proxy' };
  if (/^\S+ has no CNAME record\. It has to point at \S+\.$/.test(sentence)) return { kind: 'no_record' };
  const to = /^The CNAME record of \S+ points at (.+), not at \S+\.$/.exec(sentence)?.[1];
  if (to !== undefined) return { kind: 'points_elsewhere', to };
  const why = /^The CNAME record of \S+ could not be looked up: (.+)\.$/.exec(sentence)?.[1];
  return why === undefined ? null : { kind: 'unknown', why };
}
