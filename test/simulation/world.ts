// The script of a simulated world: what every target does, what lies between it and the probes, and what lies between
// the probes and the server. Whoever knows the script knows which incidents there must be.
import { type Chance, chance } from './chance.ts';

export const REGIONS = ['east', 'west', 'north', 'south', 'middle'] as const;
export type RegionName = (typeof REGIONS)[number];

/** From start up to but not including end, in milliseconds since the world began. */
export type Span = { startMs: number; endMs: number };

/** What a check from a region would see: a spell of one kind, for the regions it concerns. */
export type Spell = Span & {
  what: 'down' | 'degraded' | 'probe_fault';
  regions: readonly RegionName[];
  /** A target that goes and comes: so many seconds down, so many up, again and again. */
  flaps?: { downMs: number; upMs: number };
};

export type ScriptedMonitor = {
  name: string;
  intervalSeconds: number;
  regions: readonly RegionName[];
  policy: {
    alarm_consecutive: number;
    recovery_consecutive: number;
    alarm_min_duration_seconds: number;
    alarm_quorum_mode: 'any' | 'majority' | 'all' | 'count' | 'percent';
    alarm_quorum_value?: number;
  };
  spells: readonly Spell[];
  /** Share of checks that are lost on the way, one by one: they look like a failing target. */
  loss: number;
};

/** Between a probe and the server. */
export type Link = {
  /** Nothing gets through; results wait on the probe's disk. */
  cut: readonly Span[];
  /** Results get through, but this much later. */
  slow: readonly (Span & { byMs: number })[];
  /** How far the probe's clock is ahead of the server's. */
  skewMs: number;
};

export type World = {
  seed: number;
  lengthMs: number;
  monitors: readonly ScriptedMonitor[];
  links: Readonly<Record<RegionName, Link>>;
};

const MINUTE = 60_000;
/** Around what happens to the links of probes nothing happens to targets: that the two together are unknowable is the point. */
const MARGIN = 20 * MINUTE;

/** Writes a world of so many monitors and so long. */
export function script(seed: number, count: number, lengthMs: number): World {
  const random = chance(seed);
  const links = scriptLinks(random, lengthMs);
  const troubled = Object.values(links).flatMap(({ cut, slow }) => [...cut, ...slow]);
  const monitors = Array.from({ length: count }, (_, i) => scriptMonitor(random, i, lengthMs, troubled));
  return { seed, lengthMs, monitors, links };
}

function scriptLinks(random: Chance, lengthMs: number): World['links'] {
  const none = (skewMs: number): Link => ({ cut: [], slow: [], skewMs });
  const links: Record<RegionName, Link> = {
    east: none(0),
    west: none(random.whole(-4, 4) * 500),
    north: none(0),
    south: none(random.whole(1, 8) * 500),
    middle: none(0),
  };
  // One region cut off from the server; another one late; everybody cut off at once (the server is away).
  const at = (share: number, minutes: number): Span => {
    const startMs = Math.floor(lengthMs * share);
    return { startMs, endMs: startMs + minutes * MINUTE };
  };
  links.west = { ...links.west, cut: [at(0.3, random.whole(3, 25))] };
  links.north = { ...links.north, slow: [{ ...at(0.5, 10), byMs: random.whole(10, 40) * 1000 }] };
  const away = at(0.7, random.whole(2, 8));
  for (const region of REGIONS) links[region] = { ...links[region], cut: [...links[region].cut, away] };
  return links;
}

const KINDS = [
  'steady',
  'lossy',
  'outages',
  'outages',
  'regional',
  'flapping',
  'slow',
  'faulty_probe',
] as const;

function scriptMonitor(
  random: Chance,
  i: number,
  lengthMs: number,
  troubled: readonly Span[],
): ScriptedMonitor {
  const kind = KINDS[i % KINDS.length] ?? 'steady';
  const size = kind === 'regional' ? random.whole(3, 5) : random.one([1, 2, 3, 3, 3, 4, 5]);
  const first = random.whole(0, REGIONS.length - 1);
  const regions = Array.from({ length: size }, (_, k) => REGIONS[(first + k) % REGIONS.length] as RegionName);
  const alarm_quorum_mode =
    kind === 'regional'
      ? 'majority'
      : random.one(['majority', 'majority', 'all', 'count', 'percent', 'any'] as const);
  const value =
    alarm_quorum_mode === 'count'
      ? random.whole(1, size)
      : alarm_quorum_mode === 'percent'
        ? random.one([30, 50, 67, 100])
        : undefined;
  return {
    name: `${kind} ${i}`,
    intervalSeconds: random.one([30, 60, 60, 120, 300]),
    regions,
    policy: {
      alarm_consecutive: random.whole(1, 3),
      recovery_consecutive: random.whole(1, 3),
      alarm_min_duration_seconds: random.one([0, 0, 0, 45, 120, 600]),
      alarm_quorum_mode,
      ...(value === undefined ? {} : { alarm_quorum_value: value }),
    },
    spells: scriptSpells(random, kind, regions, lengthMs, troubled),
    loss: kind === 'lossy' ? random.one([0.002, 0.01, 0.03]) : 0,
  };
}

function scriptSpells(
  random: Chance,
  kind: (typeof KINDS)[number],
  regions: readonly RegionName[],
  lengthMs: number,
  troubled: readonly Span[],
): Spell[] {
  if (kind === 'steady' || kind === 'lossy') return [];
  const spells: Spell[] = [];
  const wanted = random.whole(1, Math.max(2, Math.floor(lengthMs / (4 * 60 * MINUTE))));
  for (let tries = 0; spells.length < wanted && tries < wanted * 4; tries++) {
    const startMs = random.whole(5 * MINUTE, lengthMs - 90 * MINUTE) + random.whole(0, 999);
    const span = { startMs, endMs: startMs + random.whole(20, 45 * 60) * 1000 };
    const near = (other: Span) => span.startMs < other.endMs + MARGIN && other.startMs < span.endMs + MARGIN;
    if (spells.some(near) || troubled.some(near)) continue;
    spells.push({ ...span, ...spellOf(random, kind, regions) });
  }
  return spells.sort((a, b) => a.startMs - b.startMs);
}

function spellOf(
  random: Chance,
  kind: (typeof KINDS)[number],
  regions: readonly RegionName[],
): Omit<Spell, keyof Span> {
  switch (kind) {
    case 'regional':
      return { what: 'down', regions: [random.one(regions)] };
    case 'flapping':
      return {
        what: 'down',
        regions,
        flaps: { downMs: random.whole(20, 200) * 1000, upMs: random.whole(20, 200) * 1000 },
      };
    case 'slow':
      return { what: 'degraded', regions };
    case 'faulty_probe':
      return { what: 'probe_fault', regions: [random.one(regions)] };
    default:
      return { what: 'down', regions };
  }
}

/** What a check at this moment sees. `lost` says that chance swallowed it. */
export function seenAt(
  monitor: ScriptedMonitor,
  region: RegionName,
  atMs: number,
  lost: boolean,
): 'up' | 'down' | 'degraded' | 'probe_fault' {
  const spell = monitor.spells.find(
    ({ startMs, endMs, regions }) => atMs >= startMs && atMs < endMs && regions.includes(region),
  );
  if (spell && !(spell.flaps && inUpPart(spell, spell.flaps, atMs))) return spell.what;
  return lost ? 'down' : 'up';
}

function inUpPart({ startMs }: Span, { downMs, upMs }: NonNullable<Spell['flaps']>, atMs: number): boolean {
  return (atMs - startMs) % (downMs + upMs) >= downMs;
}
