// A live server in miniature for the tests of confirmation: results arrive one by one, stored jobs run when due.
import {
  advanceTime,
  type ConfirmationEvent,
  type ConfirmationState,
  type Decision,
  displayStatus,
  healthy,
  type MonitorRules,
  type Opened,
  processResult,
  type RegionResult,
} from './confirmation.ts';
import type { Span } from './maintenance.ts';
import type { CheckStatus } from './names.ts';
import { type EffectivePolicy, PLATFORM_POLICY } from './policy.ts';

/** Every policy field may be given; interval 60 s and timeout 10 s, so a region reports for 190 s. */
export function monitorWith(
  policy: Partial<EffectivePolicy>,
  regions: readonly string[] = ['a', 'b', 'c'],
): MonitorRules {
  return { policy: { ...PLATFORM_POLICY, ...policy }, intervalSeconds: 60, timeoutMs: 10_000, regions };
}

export class World {
  readonly rules: MonitorRules;
  state: ConfirmationState = healthy;
  online: string[];
  windows: Span[] = [];
  /** A server that is down runs no jobs. */
  runsJobs = true;
  lastResultAtMs: Record<string, number> = {};
  jobAtMs: number | null = null;
  events: ConfirmationEvent[] = [];
  lastDecision: Decision | null = null;
  #arrivedMs = 0;

  constructor(policy: Partial<EffectivePolicy> = {}, regions: readonly string[] = ['a', 'b', 'c']) {
    this.rules = monitorWith(policy, regions);
    this.online = [...regions];
  }

  /** One result; `arrives` (seconds) is when the server gets it, by default at once. */
  result(
    region: string,
    at: number,
    status: CheckStatus,
    more: { arrives?: number; probeFault?: boolean } = {},
  ): Decision {
    const arrives = more.arrives ?? at;
    this.timeTo(arrives);
    const result: RegionResult = {
      region,
      atMs: at * 1000,
      status,
      probeFault: more.probeFault ?? false,
    };
    this.#arrivedMs = arrives * 1000;
    const decision = processResult(this.rules, this.state, result, this.#inputs(arrives));
    this.#keep(decision);
    this.timeTo(arrives);
    return decision;
  }

  /** Results that one post brings, arriving at `arrives`; time passes to then once they are all taken. */
  batch(arrives: number, ...results: (readonly [region: string, at: number, status: CheckStatus])[]): this {
    this.#arrivedMs = arrives * 1000;
    for (const [region, at, status] of results) {
      const result = { region, atMs: at * 1000, status, probeFault: false };
      this.#keep(processResult(this.rules, this.state, result, this.#inputs(arrives)));
    }
    return this.timeTo(arrives);
  }

  /** A window of maintenance, from start up to but not including end. */
  maintenance(from: number, until: number): this {
    this.windows.push({ fromMs: from * 1000, untilMs: until * 1000 });
    return this;
  }

  /** Failing results in every region named, at every second given. */
  fails(regions: string, ...at: number[]): this {
    for (const second of at) for (const region of regions.split(' ')) this.result(region, second, 'down');
    return this;
  }

  passes(regions: string, ...at: number[]): this {
    for (const second of at) for (const region of regions.split(' ')) this.result(region, second, 'up');
    return this;
  }

  /** Runs the stored job if it is due by then. */
  timeTo(second: number): this {
    while (this.runsJobs && this.jobAtMs !== null && this.jobAtMs <= second * 1000) {
      // What a late result makes due is due now.
      const at = Math.max(this.jobAtMs, this.#arrivedMs);
      this.jobAtMs = null;
      this.#keep(advanceTime(this.rules, this.state, { ...this.#inputs(second), nowMs: at }));
      if (this.jobAtMs === at) throw new Error(`the job at ${at} asks to be run at once for ever`);
    }
    return this;
  }

  /** Calls advanceTime whether or not a job is due. */
  pass(second: number): Decision {
    return this.#keep(advanceTime(this.rules, this.state, this.#inputs(second)));
  }

  get opened(): Opened[] {
    return this.events.filter((event) => event.kind === 'opened');
  }

  /** Seconds at which incidents were triggered. */
  get triggered(): number[] {
    return this.opened.map((event) => event.triggeredAtMs / 1000);
  }

  get resolved(): number[] {
    return this.events.filter((event) => event.kind === 'resolved').map((event) => event.atMs / 1000);
  }

  get shown() {
    return displayStatus(this.state, this.online);
  }

  #inputs(second: number) {
    const { online: onlineRegions, lastResultAtMs, windows: maintenance } = this;
    return { nowMs: second * 1000, onlineRegions, lastResultAtMs, maintenance };
  }

  #keep(decision: Decision): Decision {
    this.state = decision.state;
    this.jobAtMs = decision.reevaluateAtMs;
    this.events.push(...decision.events);
    this.lastDecision = decision;
    return decision;
  }
}
