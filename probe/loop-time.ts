// Counts the time that checks take from the probe. While its main loop is late, ends or defers the checks of organizations
// that take more than a fair share.
import type { Tenant } from './tenant.ts';

/** Why a check is ended: its own time, or the time of its organization's checks together. */
export type Excess = { of: 'check' | 'organization'; why: string };

/** One running check. */
export type CheckTime = {
  /** It used this many more milliseconds of the main loop. */
  charge(ms: number): void;
  /**
   * It used this many milliseconds of another thread, which the main loop may have to wait for: they count only for its
   * organization.
   */
  chargeSeparately(ms: number): void;
  /** The check is over; returns whether it used more than one check may. */
  end(): boolean;
};

export type LoopTime = {
  /** A check begins; `exceed` is called once, if the check must end because of its time. */
  open(tenant: Tenant, exceed: (excess: Excess) => void): CheckTime;
  /** Whether another check of the organization may begin now. */
  admits(tenant: Tenant): boolean;
  /** A check of this organization was void because the loop was late: for a while everybody is limited to an equal share. */
  voided(tenant: Tenant): void;
  /** Call it several times a second. */
  tick(): void;
};

/** A normal check takes a few milliseconds; with the largest body and a cold start about 30. */
export const CHECK_MS = 250;
/** While the loop is late, checks of the organization that causes it are ended beyond this. */
const CHECK_BEHIND_MS = 10;
/** Verdicts about time become void at a fifth (lag.ts); this acts before others get there. */
const BEHIND_FROM_LAG = 0.1;
/** A loop that is late with less work than this is late because the machine is busy. */
const BEHIND_FROM_WORK = 0.3;
/** The part of the loop's attainable time that all checks together get while it is late. */
const SHARED = 0.5;
/** Weight, in milliseconds, of the initial assumption that the loop gets the processor whenever it has work. */
const BELIEF_MS = 20;
/** How long shares apply after the loop was late: its cause would otherwise make it late again at once. */
const PRESSED_MS = 30_000;
const GLANCE_HALF_LIFE_MS = 500;
const USE_HALF_LIFE_MS = 2_000;
/** The whole of `SHARED` with the processor to itself, in remembered milliseconds of use. */
const CAPACITY_MS = (SHARED * USE_HALF_LIFE_MS) / Math.LN2;
const FORGOTTEN_BELOW_MS = 0.5;
const FIRST_GUESS_MS = 5;

/** An organization, or all of one owner. */
type Party = { usedMs: number; perCheckMs: number; open: Set<Open> };
type Open = { spentMs: number; apartMs: number; isReported: boolean; exceed: (excess: Excess) => void };

/** Counters of the main loop since the start, in milliseconds. */
export type LoopClock = {
  /** Never goes back. */
  nowMs: () => number;
  /** Its total lateness (`LagMeter.totalMs`). */
  lagMs: () => number;
  /** Its idle time. */
  idleMs: () => number;
  /** Its processor time. */
  cpuMs: () => number;
};

/** Accounts of the main loop. They share the time it can get: less on a machine that is busy with other programs. */
export function loopTime(clock: LoopClock): LoopTime {
  const parties = new Map<string, Party>();
  let [lastMs, lastLagMs, lastIdleMs, lastCpuMs] = [
    clock.nowMs(),
    clock.lagMs(),
    clock.idleMs(),
    clock.cpuMs(),
  ];
  // Recent time in which it had work, and the part of it in which it ran.
  let [busyMs, ranMs] = [0, 0];
  let workedMs = 0;
  let lagShare = 0;
  let workShare = 0;
  let pressedUntilMs = Number.NEGATIVE_INFINITY;
  let equalUntilMs = Number.NEGATIVE_INFINITY;
  let allUsedMs = 0;

  const partyOf = (tenant: Tenant): Party => {
    const name = nameOf(tenant);
    const known = parties.get(name);
    if (known !== undefined) return known;
    const party = { usedMs: 0, perCheckMs: FIRST_GUESS_MS, open: new Set<Open>() };
    parties.set(name, party);
    return party;
  };
  /** The part of its busy time in which the loop has the processor. */
  const attainable = () => Math.min(1, (ranMs + BELIEF_MS) / (busyMs + BELIEF_MS));
  const capacityMs = () => CAPACITY_MS * attainable();
  const equalShare = () => capacityMs() / parties.size;
  /** The time that others leave, and at least an equal part. Time that nobody else wants is available to everybody. */
  const shareOf = ({ usedMs }: Party) => {
    if (parties.size < 2) return Number.POSITIVE_INFINITY;
    if (clock.nowMs() < equalUntilMs) return equalShare();
    return Math.max(equalShare(), capacityMs() - (allUsedMs - usedMs));
  };
  const forget = (elapsedMs: number) => {
    const kept = 0.5 ** (elapsedMs / USE_HALF_LIFE_MS);
    allUsedMs = 0;
    for (const [name, party] of parties) {
      party.usedMs *= kept;
      if (party.usedMs < FORGOTTEN_BELOW_MS && party.open.size === 0) parties.delete(name);
      else allUsedMs += party.usedMs;
    }
  };

  const endExcessive = (isBehind: boolean) => {
    for (const party of parties.values()) {
      const isOver = isBehind && party.usedMs > shareOf(party);
      for (const open of party.open)
        if (open.spentMs > CHECK_MS) reportExcess(open, { of: 'check', why: WHY_CHECK });
        else if (isOver && open.spentMs + open.apartMs > CHECK_BEHIND_MS)
          reportExcess(open, { of: 'organization', why: WHY_ORGANIZATION });
    }
  };

  return {
    open(tenant, exceed) {
      const party = partyOf(tenant);
      const open: Open = { spentMs: 0, apartMs: 0, isReported: false, exceed };
      party.open.add(open);
      const use = (ms: number) => {
        party.usedMs += ms;
        allUsedMs += ms;
        workedMs += ms;
      };
      return {
        charge(ms) {
          open.spentMs += ms;
          use(ms);
        },
        chargeSeparately(ms) {
          open.apartMs += ms;
          use(ms);
        },
        end() {
          open.isReported = true;
          if (party.open.delete(open))
            party.perCheckMs += 0.1 * (open.spentMs + open.apartMs - party.perCheckMs);
          return open.spentMs > CHECK_MS;
        },
      };
    },
    admits(tenant) {
      if (clock.nowMs() >= pressedUntilMs) return true;
      const party = parties.get(nameOf(tenant));
      if (party === undefined) return true;
      // Running checks will use their time as well: admitted all at once, they would make the loop late again.
      let toComeMs = party.perCheckMs;
      for (const { spentMs, apartMs } of party.open)
        toComeMs += Math.max(0, party.perCheckMs - spentMs - apartMs);
      return party.usedMs + toComeMs <= shareOf(party);
    },
    voided(tenant) {
      // If checks use little of the loop, something else makes it late; or this organization itself has more than its part.
      if (workShare <= BEHIND_FROM_WORK || partyOf(tenant).usedMs > equalShare()) return;
      pressedUntilMs = equalUntilMs = clock.nowMs() + PRESSED_MS;
    },
    tick() {
      const [nowMs, lagMs, idleMs, cpuMs] = [clock.nowMs(), clock.lagMs(), clock.idleMs(), clock.cpuMs()];
      const elapsedMs = Math.max(1, nowMs - lastMs);
      const remembered = 0.5 ** (elapsedMs / USE_HALF_LIFE_MS);
      busyMs = busyMs * remembered + Math.max(0, elapsedMs - (idleMs - lastIdleMs));
      ranMs = ranMs * remembered + cpuMs - lastCpuMs;
      const kept = 0.5 ** (elapsedMs / GLANCE_HALF_LIFE_MS);
      lagShare = lagShare * kept + (1 - kept) * Math.min(1, (lagMs - lastLagMs) / elapsedMs);
      workShare = workShare * kept + (1 - kept) * Math.min(1, workedMs / (elapsedMs * attainable()));
      [lastMs, lastLagMs, lastIdleMs, lastCpuMs, workedMs] = [nowMs, lagMs, idleMs, cpuMs, 0];
      forget(elapsedMs);
      const isBehind = lagShare > BEHIND_FROM_LAG && workShare > BEHIND_FROM_WORK;
      if (isBehind) pressedUntilMs = nowMs + PRESSED_MS;
      endExcessive(isBehind);
    },
  };
}

const nameOf = ({ organizationId, ownerId }: Tenant) =>
  ownerId === undefined ? `organization ${organizationId}` : `owner ${ownerId}`;

function reportExcess(open: Open, excess: Excess): void {
  if (open.isReported) return;
  open.isReported = true;
  open.exceed(excess);
}

const WHY_CHECK = `This check took more than ${CHECK_MS} ms of the probe's main loop, which all checks share, so it was ended. A normal check takes a few: check what the target sends`;
const WHY_ORGANIZATION =
  'This organization’s checks made this probe late, so this one was ended: together they took more of its main loop than their share';
