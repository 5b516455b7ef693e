// The written rules about not knowing, recomputed from what a walk did (docs/rules/confirmation.md#no-data,
// docs/rules/regions-and-probes.md#troubles). null: the rules leave it open at this moment.
import { type Check, type Facts, HOST, type MonitorFacts, type ProbeFacts } from './facts.ts';

type Sure = boolean | null;
/** Whether a trouble exists; `gone`: there is no longer anything that could have it, which ends it without a mail. */
export type Condition = Sure | 'gone';

const ONLINE_MS = 30_000;
/** The servers note a delivery at most this often. */
const NOTED_MS = 6_000;
const BUSY_MS = 5 * 60_000;

const either = (some: readonly Sure[]): Sure => some.includes(true) || (some.includes(null) ? null : false);

/** docs/rules/regions-and-probes.md#stalled-probes. */
export function isStalled({ seenMs, awaitedMs, patienceMs }: ProbeFacts): Sure {
  if (seenMs === null || awaitedMs === null) return false;
  const overMs = seenMs - awaitedMs - patienceMs;
  if (Math.abs(overMs) <= NOTED_MS) return null;
  return overMs > 0;
}

/** docs/rules/regions-and-probes.md#liveness. */
export function isProbeOnline(probe: ProbeFacts, nowMs: number): Sure {
  if (!probe.admitted || probe.seenMs === null || nowMs - probe.seenMs >= ONLINE_MS) return false;
  const stalled = isStalled(probe);
  return stalled === null ? null : !stalled;
}

/** What a host reports needs no probe. */
export const isOnline = ({ probes }: Facts, region: string, nowMs: number): Sure =>
  region === HOST ||
  either(probes.filter((probe) => probe.region === region).map((probe) => isProbeOnline(probe, nowMs)));

const windowMs = ({ intervalSeconds, timeoutMs }: MonitorFacts) => 3000 * intervalSeconds + timeoutMs;

/** Whether the checks of a region count as reporting, if it is online. */
function hasReported(monitor: MonitorFacts, checks: readonly Check[], nowMs: number): boolean {
  const young = checks.filter(({ atMs }) => atMs > nowMs - windowMs(monitor));
  const newest = young.findLast(({ kind }) => kind !== 'fault');
  return newest?.kind === 'result';
}

/** docs/rules/confirmation.md#reporting. */
export function reports(facts: Facts, monitor: MonitorFacts, nowMs: number): Sure {
  const said = monitor.regions.filter((region) =>
    hasReported(monitor, monitor.checks.get(region) ?? [], nowMs),
  );
  return either(said.map((region) => isOnline(facts, region, nowMs)));
}

/** Whether it is a monitor that can have no data at all. */
export const canBeSilent = ({ enabled, deleted, knows }: MonitorFacts): boolean =>
  enabled && !deleted && !knows;

/** Whether nobody knows how it is. */
export function isSilent(facts: Facts, monitor: MonitorFacts, nowMs: number): Sure {
  if (!canBeSilent(monitor)) return false;
  const does = reports(facts, monitor, nowMs);
  return does === null ? null : !does;
}

/** The time of its newest result, also by a region that checked it earlier, or of its making. */
export function newestResultMs({ checks, madeMs }: MonitorFacts): number {
  const results = [...checks.values()].flat().filter(({ kind }) => kind === 'result');
  return results.reduce((newest, { atMs }) => Math.max(newest, atMs), results.length > 0 ? 0 : madeMs);
}

/** Whether the check cannot be made, given that nobody knows how the monitor is. */
export function cannotBeMade(facts: Facts, monitor: MonitorFacts, nowMs: number): Sure {
  return either(
    monitor.regions.map((region): Sure => {
      const newest = monitor.checks.get(region)?.at(-1);
      if (newest?.kind !== 'never') return false;
      // The rules do not say how long such a check counts where no further one comes.
      return newest.atMs > nowMs - windowMs(monitor) ? isOnline(facts, region, nowMs) : null;
    }),
  );
}

/** Whether anything has been checked since it was last changed. */
export const isChecked = ({ regions, checks, changedMs }: MonitorFacts): boolean =>
  regions.some((region) =>
    checks.get(region)?.some(({ kind, atMs }) => kind === 'result' && atMs >= changedMs),
  );

/** How long people are without data before they are mailed. */
export const longMs = ({ intervalSeconds }: MonitorFacts): number =>
  Math.max(5 * 60_000, 3000 * intervalSeconds);

/** Since when its silence counts for a mail. */
export const silentFromMs = (facts: Facts, monitor: MonitorFacts): number =>
  Math.max(newestResultMs(monitor), monitor.changedMs, monitor.madeMs, facts.watchingMs);

/** The troubles of the operator, as `kind subject`, and whether each exists (docs/rules/regions-and-probes.md#troubles). */
export function troublesNow(facts: Facts, nowMs: number): Map<string, Condition> {
  const found = new Map<string, Condition>();
  for (const region of facts.regions) {
    const own = facts.probes.filter((probe) => probe.region === region);
    const contactMs = Math.max(...own.map((probe) => probe.contactMs ?? Number.NEGATIVE_INFINITY));
    if (Number.isFinite(contactMs))
      found.set(`region_offline ${region}`, isMissing(facts, own, contactMs, nowMs));
  }
  for (const probe of facts.probes) {
    const received = probe.admitted && probe.seenMs !== null && nowMs - probe.seenMs < ONLINE_MS;
    const busy = probe.busyMs !== null && nowMs - probe.busyMs < BUSY_MS;
    found.set(`probe_lagging ${probe.region}/${probe.id}`, received ? busy || isStalled(probe) : 'gone');
  }
  return found;
}

/** Whether a region that was once online is offline; `contactMs`: when a probe of it was last in contact. */
function isMissing(facts: Facts, own: readonly ProbeFacts[], contactMs: number, nowMs: number): Condition {
  const [first] = own;
  if (!first) return null;
  const online = isOnline(facts, first.region, nowMs);
  if (online !== false) return online === null ? null : false;
  if (own.some(({ admitted, seenMs }) => admitted && seenMs !== null)) return true;
  const isAssigned = facts.monitors.some(
    ({ enabled, deleted, regions }) => enabled && !deleted && regions.includes(first.region),
  );
  if (!isAssigned) return 'gone';
  // Another probe may come in place of one that was removed.
  return nowMs - contactMs > ONLINE_MS ? true : null;
}
