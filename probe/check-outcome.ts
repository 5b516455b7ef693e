import type { NetworkPolicy } from '../src/platform/outbound/connect.ts';
import { type OutboundFailure, ownFailure } from '../src/platform/outbound/failures.ts';
import type { Resolver } from '../src/platform/outbound/resolve.ts';
import type { Judgement, Result } from '../src/probe-protocol/contract.ts';
import type { Bodies } from './bodies.ts';
import type { Tenant } from './tenant.ts';
import type { Watched } from './watchdog.ts';

/** The outcome of one check in wire format (docs/rules/regions-and-probes.md#results-protocol), without monitor and time. */
export type CheckOutcome = Omit<Result, 'monitor_id' | 'checked_at_ms'>;
export type CauseLayer = NonNullable<CheckOutcome['cause_layer']>;

/** Called with each judgement of a check. */
export type OnJudgement = (judgement: Judgement) => void;

export type CheckContext = {
  /** Counts the bytes of bodies; absent: they are not counted. */
  bodies?: Bodies | undefined;
  tenant?: Tenant | undefined;
  policy: NetworkPolicy;
  /** Whether the answer of a private target may be kept. */
  keepPrivate?: boolean | undefined;
  /** Absent: the machine's resolver. */
  resolver?: Resolver | undefined;
  /** RDAP server for registrations; absent: the registry's own, from IANA's list. */
  rdap?: { baseUrl?: string | undefined; bootstrapUrl?: string | undefined } | undefined;
  /** Aborted if the probe stops or the monitor is deleted or changed: the check ends as `aborted`, which is not a result. */
  signal?: AbortSignal | undefined;
  /** Runs a step on the main loop so that the watchdog knows its check; absent: there is no watchdog. */
  watched?: Watched | undefined;
  /** Called with the milliseconds of processor time that the check used in another thread of the probe. */
  chargeSeparately?: ((ms: number) => void) | undefined;
  /**
   * Set for a check that a person waits for: receives every judgement of the check, good and bad, in order. The check then
   * continues after its first finding, if anything is left to judge.
   */
  judged?: OnJudgement | undefined;
};

/** Checks one monitor of a type: takes a valid config, never throws, ends within the config's timeout. */
export type Check<Config> = (config: Config, context: CheckContext) => Promise<CheckOutcome>;

/** A reason why a check is not up; down unless `status` says otherwise. */
export type Finding = {
  failureClass: string;
  layer: CauseLayer;
  detail: string;
  status?: 'down' | 'degraded';
};

const DETAIL_CHARACTERS = 512;

/** Printable characters on one line, at most 512 by default; others become spaces. */
export function printable(text: string, characters = DETAIL_CHARACTERS): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length <= characters ? line : `${line.slice(0, characters - 1)}…`;
}

/** Any error as a finding; an unexpected one is the probe's own (layer `probe`), never an outage. */
export function findingOf(error: unknown): Finding {
  const failure: OutboundFailure = ownFailure(error);
  return { failureClass: failure.failureClass, layer: failure.layer, detail: failure.message };
}

/** A check that could not be made because of the probe: down with `cause_layer: probe`, which counts as no result. */
export function notChecked(failureClass: string, detail: string): CheckOutcome {
  return { status: 'down', failure_class: failureClass, cause_layer: 'probe', detail: printable(detail) };
}

/** A judgement in the form of the probe protocol: each text printable, on one line and truncated. */
export const printableJudgement = ({ what, expected, actual, ok }: Judgement): Judgement => ({
  what: printable(what, 300),
  expected: printable(expected, 1024),
  actual: printable(actual, 1024),
  ok,
});
