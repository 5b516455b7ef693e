import { join } from 'node:path';
import { offLimits } from '../src/platform/outbound/off-limits.ts';
import { createResolver } from '../src/platform/outbound/resolve.ts';
import { stopJudging } from './assertions/judge.ts';
import { sharedBodies } from './bodies.ts';
import { startCanaries } from './canaries.ts';
import { startCapsules } from './capsules.ts';
import { startCheckNow } from './check-now.ts';
import { serverClock } from './clock.ts';
import { startResultDelivery } from './delivery.ts';
import { excerptBudget } from './excerpt-budget.ts';
import { type FolderGuard, guardFolder } from './folder-guard.ts';
import { probeIdentity } from './identity.ts';
import { startLagMeter } from './lag.ts';
import { openLink } from './link.ts';
import type { Log } from './log.ts';
import { threadCpuMs } from './loop-ledger.ts';
import { loopTime } from './loop-time.ts';
import { ownServer } from './own-server.ts';
import { retryPolicy } from './retry.ts';
import { makeRunner } from './runner.ts';
import { startScheduler } from './scheduler.ts';
import { REPORTED_FROM_VOIDS } from './scheduler-run.ts';
import { openSetAside } from './set-aside.ts';
import { sharedSlots } from './slots.ts';
import { openSpool } from './spool.ts';
import { startSubscription } from './subscription.ts';
import type { check } from './types.ts';
import { startWatchdog } from './watchdog.ts';

export type ProbeOptions = {
  /** Base address of the server. */
  url: string;
  token: string;
  /** Contains the probe's id and its spool. */
  dataDir: string;
  /** Absent: the one in the data directory. */
  probeId?: string | undefined;
  /** `host` or `host:port` of name servers; absent: the machine's own. */
  dnsServers?: readonly string[] | undefined;
  /** RDAP server for domain checks; absent: each registry's own. */
  rdapBaseUrl?: string | undefined;
  /** Addresses that no check may reach, such as the admin API of an edge; absent: none. */
  offLimits?: readonly string[] | undefined;
  /** `host:port`, contacted if the region has no canaries, while a check fails; absent: none are. */
  canaries?: readonly string[] | undefined;
  log: Log;
  /** The most running checks, over all organizations. */
  slots?: number | undefined;
  /** How long the main loop may stand still before the watchdog ends this process, in milliseconds. */
  frozenAfterMs?: number | undefined;
  /** Runs one check; absent: by the types of this program. */
  check?: typeof check | undefined;
};

export type Probe = { probeId: string; stop(): Promise<void> };

/** How long the last results may take to reach the server when the probe stops. */
const STOP_GRACE_MS = 3_000;
/** How often the accounts of the main loop are evaluated. */
const LOOP_TICK_MS = 100;

/**
 * Runs a probe until stopped: pulls assignments, runs the checks, delivers the results (docs/rules/regions-and-probes.md).
 * Opens no listener but the private socket of its data folder. Rejects while another probe runs with that folder. `stop` ends
 * running checks without a result, posts the buffered results and spools the rest.
 */
export async function startProbe(options: ProbeOptions): Promise<Probe> {
  const { dataDir, log } = options;
  const guard = await guardFolder({ dataDir, log });
  try {
    return await startGuarded(options, guard);
  } catch (error) {
    await guard.release();
    throw error;
  }
}

async function startGuarded(options: ProbeOptions, guard: FolderGuard): Promise<Probe> {
  const { url, token, dataDir, log } = options;
  const probeId = options.probeId ?? (await probeIdentity(dataDir));
  const clock = serverClock();
  const spool = await openSpool({ dir: join(dataDir, 'spool'), log, nowMs: clock.localNowMs });
  const lag = startLagMeter();
  const retry = retryPolicy();
  const own = ownServer(url);
  const link = openLink({ url, token, log, localNowMs: clock.localNowMs, onPeer: own.met });
  const resolver = createResolver({ servers: options.dnsServers });
  const setAside = await openSetAside({ dataDir, log, nowMs: Date.now });
  const watchdog = startWatchdog({ dataDir, log, frozenAfterMs: options.frozenAfterMs });
  const loop = loopTime({
    nowMs: () => performance.now(),
    lagMs: lag.totalMs,
    idleMs: () => performance.eventLoopUtilization().idle,
    cpuMs: threadCpuMs,
  });
  const slots = sharedSlots(options.slots, undefined, loop.admits);
  const ticking = setInterval(() => {
    loop.tick();
    slots.reconsider();
  }, LOOP_TICK_MS);
  const bodies = sharedBodies();
  const excerpts = excerptBudget();

  const delivery = startResultDelivery({
    link,
    spool,
    clock,
    probeId,
    retry,
    log,
    onClockMoved: (byMs) => scheduler.clockMoved(byMs),
  });
  const canaries = startCanaries({ resolver, fallback: options.canaries, log, nowMs: clock.localNowMs });
  const runner = makeRunner({
    ...{ setAside, watchdog, loop, canaries, bodies, excerpts, resolver, check: options.check },
    rdap: { baseUrl: options.rdapBaseUrl },
    isOwn: own.isOwn,
    isOffLimits: offLimits(options.offLimits ?? []),
    nowMs: clock.serverNowMs,
  });
  const scheduler = startScheduler({
    clock,
    lag,
    slots,
    run: runner.run,
    report: delivery.add,
    voided({ monitor_id, organization_id: organizationId = '', owner_id: ownerId }, inARow) {
      loop.voided({ organizationId, ownerId });
      if (inARow !== REPORTED_FROM_VOIDS) return;
      const sentence =
        'Checks of a monitor are void: this machine was too busy to tell a slow target from its own delay';
      log('warn', sentence, { monitor_id });
    },
  });
  const tests = startCheckNow({ link, probeId, retry, log, slots, run: runner.run });
  const capsules = startCapsules({
    ...{ link, probeId, retry, log, slots },
    assignmentOf: (id) => scheduler.assignmentOf(id),
    gather: runner.gather,
  });
  const subscription = startSubscription({
    link,
    clock,
    probeId,
    retry,
    log,
    wallClockMs: Date.now,
    onAssignments(assignments, clockMovedMs) {
      takeAll(
        () =>
          runner.applyPolicy({
            allowPrivate: assignments.allow_private_targets,
            keepPrivate: assignments.keep_private_responses === true,
          }),
        () => canaries.use(assignments.canaries),
        () => scheduler.clockMoved(clockMovedMs),
        () => tests.add(assignments.tests),
        () => {
          if (assignments.full) {
            delivery.forget(scheduler.replace(assignments.monitors));
            log('info', 'Assignments received', { monitors: assignments.monitors.length, probe_id: probeId });
          } else {
            scheduler.remove(assignments.removed);
            scheduler.assign(assignments.monitors);
            delivery.forget(assignments.removed);
          }
        },
        () => capsules.add(assignments.capsules ?? []),
      );
    },
  });
  if (!spool.empty) log('info', 'The spool has results of an earlier run, which are sent first');

  return {
    probeId,
    async stop() {
      clearInterval(ticking);
      scheduler.stop();
      tests.stop();
      capsules.stop();
      canaries.stop();
      resolver.cancel();
      lag.stop();
      excerpts.stop();
      await subscription.stop();
      await Promise.all([subscription.leave(), delivery.stop(STOP_GRACE_MS)]);
      await stopJudging();
      await watchdog.stop();
      link.close();
      await guard.release();
    },
  };
}

/** Takes every step, even after one has thrown: what one part of the probe cannot use keeps no other from its own. */
function takeAll(...steps: (() => void)[]): void {
  const errors: unknown[] = [];
  for (const step of steps)
    try {
      step();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw errors[0];
}
