// The state of a custom domain, derived from the API's fields.
import { type DomainEnd, type DomainProblem, readDomainProblem } from '#src/domain/domain-problem.ts';
import type { CustomDomain } from '#src/status-pages/domains/contract.ts';

export type Domain = Pick<CustomDomain, 'status' | 'edge_synced' | 'cert_status' | 'last_error'>;

type RecordProblem = Extract<DomainProblem, { kind: 'points_elsewhere' | 'no_record' | 'unknown' }>;

export type DomainState =
  /** It has not been checked yet. */
  | { kind: 'waiting' }
  | { kind: 'pending'; problem: RecordProblem }
  | { kind: 'failed'; problem: RecordProblem; end: DomainEnd }
  | { kind: 'lost' }
  /** It was verified once, and is served for a few more days. */
  | { kind: 'dangling'; problem: RecordProblem }
  | { kind: 'syncing' }
  | { kind: 'certifying' }
  | { kind: 'uncertified' }
  | { kind: 'own_proxy' }
  | { kind: 'online' };

export function domainStateOf({ status, edge_synced, cert_status, last_error }: Domain): DomainState {
  const { problem, end } = readDomainProblem(last_error ?? '') ?? { problem: null, end: null };
  if (problem?.kind === 'lost') return { kind: 'lost' };
  const record = problem === null || problem.kind === 'own_proxy' ? null : problem;
  // A sentence that this dashboard does not know is shown unchanged.
  const unknown = { kind: 'unknown', why: last_error ?? '' } as const;
  if (status === 'failed') return { kind: 'failed', problem: record ?? unknown, end: end ?? 'pending' };
  if (status === 'pending')
    return last_error === null ? { kind: 'waiting' } : { kind: 'pending', problem: record ?? unknown };
  if (record !== null) return { kind: 'dangling', problem: record };
  if (!edge_synced) return { kind: 'syncing' };
  if (problem?.kind === 'own_proxy') return { kind: 'own_proxy' };
  if (cert_status === 'issued') return { kind: 'online' };
  return { kind: cert_status === 'failed' ? 'uncertified' : 'certifying' };
}

/** Whether it no longer changes by itself, so that polling can stop. */
export function isSettled(domain: Domain): boolean {
  return ['failed', 'lost', 'own_proxy', 'online'].includes(domainStateOf(domain).kind);
}

/** Whether visitors who open it see the page. */
export function isServed({ status, edge_synced, cert_status, last_error }: Domain): boolean {
  const isOwnProxy = readDomainProblem(last_error ?? '')?.problem.kind === 'own_proxy';
  return status === 'verified' && edge_synced && (cert_status === 'issued' || isOwnProxy);
}

export const DOMAIN_STEPS = ['record', 'verified', 'edge', 'certificate'] as const;
/** `elsewhere`: another party's task, neither done nor pending. */
export type StepState = 'done' | 'current' | 'waiting' | 'failed' | 'elsewhere';

/** The four steps in order. */
export function stepsOf(domain: Domain): StepState[] {
  const { edge_synced: isSynced, cert_status: certificate } = domain;
  const stand = domainStateOf(domain);
  switch (stand.kind) {
    case 'waiting':
    case 'pending':
      return ['current', 'waiting', 'waiting', 'waiting'];
    case 'failed':
      return ['failed', 'waiting', 'waiting', 'waiting'];
    case 'lost':
      return ['waiting', 'failed', 'waiting', 'waiting'];
    case 'dangling':
      return [
        'failed',
        'done',
        isSynced ? 'done' : 'waiting',
        certificate === 'issued' ? 'done' : certificate === 'failed' ? 'failed' : 'waiting',
      ];
    case 'syncing':
      return ['done', 'done', 'current', 'waiting'];
    case 'certifying':
      return ['done', 'done', 'done', 'current'];
    case 'uncertified':
      return ['done', 'done', 'done', 'failed'];
    case 'own_proxy':
      return ['done', 'done', 'elsewhere', 'elsewhere'];
    case 'online':
      return ['done', 'done', 'done', 'done'];
  }
}
