import type { NetworkPolicy } from '../src/platform/outbound/connect.ts';
import { type OutboundFailure, ownFailure } from '../src/platform/outbound/failures.ts';
import type { Resolver } from '../src/platform/outbound/resolve.ts';
import type { Judgement, Result } from '../src/probe-protocol/contract.ts';
import type { Bodies } from './bodies.ts';
import type { Subject } from './subject.ts';
import type { Watched } from './watchdog.ts';

/** What one check saw, as it goes over the wire (docs/rules/regions-and-probes.md#results-protocol) but for whom and when. */
export type Observation = Omit<Result, 'monitor_id' | 'checked_at_ms'>;
export type CauseLayer = NonNullable<Observation['cause_layer']>;

/** Called with one thing that a check is judged by. */
export type OnJudgement = (judgement: Judgement) => void;

export type CheckContext = {
  /** Where bodies are counted; absent: nowhere. */
  bodies?: Bodies | undefined;
  subject?: Subject | undefined;
  policy: NetworkPolicy;
  /** Absent: the machine's own. */
  resolver?: Resolver | undefined;
  /** Where registrations are asked for; absent: the registries themselves, by IANA's list of them. */
  rdap?: { baseUrl?: string | undefined; bootstrapUrl?: string | undefined } | undefined;
  /** Aborted when the probe stops or the monitor is gone or changed; the check then ends with failure_class `aborted`, which is not a result. */
  signal?: AbortSignal | undefined;
  /** Does a step on the main loop so that the watchdog knows whose it is; absent: nobody watches. */
  watched?: Watched | undefined;
  /** Called with the milliseconds of processor time the check took in another thread of the probe. */
  chargeApart?: ((ms: number) => void) | undefined;
  /**
   * Given for a check that a person waits for: told of everything the check is judged by, good and bad, in order. The
   * check then goes on judging after its first finding, where anything is left to judge.
   */
  judged?: OnJudgement | undefined;
};

/** Checks one monitor of a type: takes a valid config, never throws, ends within the config's timeout. */
export type Check<Config> = (config: Config, context: CheckContext) => Promise<Observation>;

/** A reason for a check not to be up; down unless `status` says otherwise. */
export type Finding = {
  failureClass: string;
  layer: CauseLayer;
  detail: string;
  status?: 'down' | 'degraded';
};

const DETAIL_CHARACTERS = 512;

/** Printable characters on one line, at most 512 unless told otherwise; what is not printable is shown as a space. */
export function printable(text: string, characters = DETAIL_CHARACTERS): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length <= characters ? line : `${line.slice(0, characters - 1)}…`;
}

/** Any error as a finding; one that nobody foresaw is the probe's own (layer `probe`), never an outage. */
export function findingOf(error: unknown): Finding {
  const failure: OutboundFailure = ownFailure(error);
  return { failureClass: failure.failureClass, layer: failure.layer, detail: failure.message };
}

/** A check that could not be made for a reason on our side: down with `cause_layer: probe`, counted as no result. */
export function notChecked(failureClass: string, detail: string): Observation {
  return { status: 'down', failure_class: failureClass, cause_layer: 'probe', detail: printable(detail) };
}

/** A judgement as the probe protocol takes it: each text printable, on one line and cut. */
export const printableJudgement = ({ what, expected, actual, ok }: Judgement): Judgement => ({
  what: printable(what, 300),
  expected: printable(expected, 1024),
  actual: printable(actual, 1024),
  ok,
});
