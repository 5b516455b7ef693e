// The texts about a custom domain: its state in one line, and what to do.
import type { TFunction } from 'i18next';
import { readCertificateProblem } from '#src/domain/certificate-problem.ts';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';
import { type DomainState, domainStateOf } from './domain-state.ts';

/** Whether a person must act, it proceeds by itself, or all is well. */
export type Tone = 'wrong' | 'attention' | 'plain' | 'good';

const TONES: Record<DomainState['kind'], Tone> = {
  waiting: 'plain',
  pending: 'attention',
  failed: 'wrong',
  lost: 'wrong',
  dangling: 'wrong',
  syncing: 'plain',
  certifying: 'plain',
  uncertified: 'wrong',
  own_proxy: 'plain',
  online: 'good',
};

export type StateWords = { tone: Tone; title: string; texts: string[] };

/** The state of a domain, in the reader's language. */
export function stateWords(t: TFunction, domain: CustomDomain): StateWords {
  const stand = domainStateOf(domain);
  const tone = TONES[stand.kind];
  switch (stand.kind) {
    case 'pending': {
      const { kind } = stand.problem;
      const fresh = kind === 'unknown' ? [] : [t(`pageDomains.problem.fresh.${kind}`)];
      const about = [problemText(t, stand.problem), ...fresh].join(' ');
      return { tone, title: titleOf(t, stand.problem), texts: [about, t('pageDomains.stand.pending.text')] };
    }
    case 'dangling':
    case 'failed': {
      const after =
        stand.kind === 'failed'
          ? t(`pageDomains.stand.failed.${stand.end}`)
          : t('pageDomains.stand.dangling.text');
      return { tone, title: titleOf(t, stand.problem), texts: [problemText(t, stand.problem), after] };
    }
    default: {
      const texts = [t(`pageDomains.stand.${stand.kind}.text`)];
      const isOfEdge = ['syncing', 'certifying', 'uncertified'].includes(stand.kind);
      if (isOfEdge && domain.last_error !== null) texts.push(certificateText(t, domain.last_error));
      return { tone, title: t(`pageDomains.stand.${stand.kind}.title`), texts };
    }
  }
}

/** The message of the edge; one that this dashboard does not know is shown unchanged. */
function certificateText(t: TFunction, sentence: string): string {
  const problem = readCertificateProblem(sentence);
  if (problem === null) return t('pageDomains.edgeReports', { sentence });
  return t(`pageDomains.certificate.${problem.kind}`, {
    until: problem.kind === 'limited' ? problem.until : '',
    reason: problem.kind === 'unreached' ? problem.reason : '',
  });
}

type Problem = Extract<DomainState, { kind: 'pending' }>['problem'];

const titleOf = (t: TFunction, { kind }: Problem) => t(`pageDomains.problem.title.${kind}`);

const problemText = (t: TFunction, problem: Problem) =>
  t(`pageDomains.problem.text.${problem.kind}`, {
    to: problem.kind === 'points_elsewhere' ? problem.to : '',
  });
