// Runs checks and capsules under the limits of their tenant: the network policy, the time of the main loop, the watchdog.

import type { Capsule } from '../src/capsules/contract.ts';
import type { NetworkPolicy } from '../src/platform/outbound/connect.ts';
import type { Resolver } from '../src/platform/outbound/resolve.ts';
import type { Bodies } from './bodies.ts';
import type { Canaries } from './canaries.ts';
import { type CheckContext, type CheckOutcome, notChecked } from './check-outcome.ts';
import type { ExcerptBudget } from './excerpt-budget.ts';
import type { Excess, LoopTime } from './loop-time.ts';
import type { SetAside } from './set-aside.ts';
import type { Tenant } from './tenant.ts';
import { check as checkByType } from './types.ts';
import type { Watchdog } from './watchdog.ts';

export type RunnerOptions = {
  setAside: SetAside;
  watchdog: Watchdog;
  loop: LoopTime;
  canaries: Canaries;
  bodies: Bodies;
  excerpts: ExcerptBudget;
  resolver: Resolver;
  rdap: CheckContext['rdap'];
  isOwn: NetworkPolicy['isOwn'];
  isOffLimits: NetworkPolicy['isOffLimits'];
  /** The time on the server's clock. */
  nowMs: NetworkPolicy['nowMs'];
  /** Runs one check; absent: by the types of this program. */
  check?: typeof checkByType | undefined;
};

type Checkable = { type: string; config: unknown; organization_id?: string; owner_id?: string };
type Listeners = { judged?: CheckContext['judged']; onPrivate?: () => void };

export type Runner = {
  /** Checks once. Aborting `ending` ends the check as `aborted`, which is not a result. */
  run(asked: Checkable, ending: AbortController, listeners?: Listeners): Promise<CheckOutcome>;
  /** Gathers a failure capsule; undefined if the monitor is set aside, or `ending` was aborted. */
  gather(asked: Checkable, ending: AbortController): Promise<Capsule | undefined>;
  /** Applies to everything that starts from now on; until the first call, private targets are refused. */
  applyPolicy(policy: { allowPrivate: boolean; keepPrivate: boolean }): void;
};

export function makeRunner(options: RunnerOptions): Runner {
  const { setAside, watchdog, loop, canaries, excerpts, check = checkByType } = options;
  let allowPrivate = false;
  let keepPrivate = false;

  /** Acts for a monitor under its limits. `excess`: the limit that ended it. */
  async function onBehalf<T>(
    asked: Checkable,
    ending: AbortController,
    listeners: Listeners,
    act: (context: CheckContext) => Promise<T>,
  ): Promise<{ done: T; excess: Excess | undefined; tenant: Tenant }> {
    const { type, config, organization_id: organizationId = '', owner_id: ownerId } = asked;
    const name = setAside.nameOf(type, config);
    const tenant = { organizationId, ownerId };
    let excess: Excess | undefined;
    const time = loop.open(tenant, (found) => {
      if (ending.signal.aborted) return;
      excess = found;
      ending.abort();
    });
    const watched = watchdog.watch(name, time.charge);
    const { isOwn, isOffLimits, nowMs, resolver, rdap, bodies } = options;
    const { judged, onPrivate } = listeners;
    const policy = { allowPrivate, isOwn, isOffLimits, nowMs, ...(onPrivate ? { onPrivate } : {}) };
    const context: CheckContext = {
      ...{ policy, resolver, rdap, tenant, bodies, signal: ending.signal, judged },
      ...{ watched, chargeSeparately: time.chargeSeparately, keepPrivate },
    };
    try {
      return { done: await watched(() => act(context)), excess, tenant };
    } finally {
      setAside.took(name, time.end());
    }
  }

  return {
    async run(asked, ending, listeners = {}) {
      const { type, config } = asked;
      const why = setAside.why(setAside.nameOf(type, config));
      if (why !== undefined) return notChecked(why.failureClass, why.detail);
      const { done, excess, tenant } = await onBehalf(asked, ending, listeners, (context) =>
        check(type, config, context),
      );
      if (excess === undefined || done.failure_class !== 'aborted')
        return excerpts.keep(await canaries.judge(done, type), tenant);
      return notChecked(excess.of === 'check' ? 'check_too_costly' : 'probe_busy', excess.why);
    },
    async gather(asked, ending) {
      const { type, config } = asked;
      if (setAside.why(setAside.nameOf(type, config)) !== undefined) return undefined;
      const { gather } = await import('./capsule/gather.ts');
      const { done } = await onBehalf(asked, ending, {}, (context) => gather(type, config, context));
      return ending.signal.aborted ? undefined : done;
    },
    applyPolicy(policy) {
      ({ allowPrivate, keepPrivate } = policy);
    },
  };
}
