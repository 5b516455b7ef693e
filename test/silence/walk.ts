// A walk: what becomes of the probes, the monitors and the servers of an installation, in random order. The same seed, the same walk.
import { type Chance, chance } from '../simulation/chance.ts';

/**
 * What a probe does: it `works`, has `stopped`, is `cut` off from the server and keeps its results, fetches its monitors and is
 * `mute`, says that it is too `busy`, or that its own network is `away`.
 */
export const MODES = ['works', 'stopped', 'cut', 'mute', 'busy', 'away'] as const;
export type Mode = (typeof MODES)[number];

/** Monitors that probes check, of both organizations. */
export const MONITORS = 6;

/** One thing that happens. */
export type Step =
  | { do: 'wait'; seconds: number }
  | { do: 'probe'; probe: number; mode: Mode }
  // The operator refuses a probe, admits it again, or removes it.
  | { do: 'refuse' | 'admit' | 'remove'; probe: number }
  // The agent of a host stops, or returns.
  | { do: 'host'; works: boolean }
  // The target of a monitor breaks or is mended.
  | { do: 'target'; monitor: number; up: boolean }
  // Probes cannot check a monitor at all, or can again.
  | { do: 'hinder'; monitor: number; on: boolean }
  | { do: 'pause' | 'resume' | 'delete' | 'retarget'; monitor: number }
  | { do: 'move'; monitor: number; regions: readonly number[] }
  | { do: 'maintain'; monitor: number; seconds: number }
  // No server runs.
  | { do: 'no_server'; seconds: number }
  // One of the two servers starts again.
  | { do: 'restart'; second: boolean }
  | { do: 'mail_down' | 'mail_up' };

const KINDS: readonly (readonly [Step['do'], number])[] = [
  ['wait', 30],
  ['probe', 24],
  ['target', 5],
  ['hinder', 6],
  ['pause', 4],
  ['resume', 5],
  ['delete', 2],
  ['retarget', 2],
  ['move', 5],
  ['maintain', 3],
  ['no_server', 3],
  ['restart', 5],
  ['mail_down', 3],
  ['mail_up', 4],
  ['refuse', 4],
  ['admit', 4],
  ['remove', 2],
  ['host', 5],
];

/** `probes`: how many each region has. */
export type Walk = { probes: readonly number[]; steps: readonly Step[] };

/** Writes a walk of so many steps. */
export function writeWalk(seed: number, length: number): Walk {
  const random = chance(seed);
  const probes = Array.from({ length: random.whole(2, 3) }, () => random.whole(1, 2));
  // Each walk does more of some things than others, and some not at all: so it gets further into what these do together.
  const among = KINDS.flatMap(([kind, weight]) => {
    const times = kind === 'probe' || kind === 'wait' ? 1 : random.one([0, 1, 1, 3]);
    return Array.from({ length: weight * times }, () => kind);
  });
  return { probes, steps: Array.from({ length }, () => stepOf(random.one(among), probes, random)) };
}

function stepOf(kind: Step['do'], probes: readonly number[], random: Chance): Step {
  const monitor = random.whole(0, MONITORS - 1);
  switch (kind) {
    case 'wait':
      return { do: kind, seconds: random.one([3, 8, 20, 31, 40, 65, 130, 200, 310, 620]) };
    case 'probe':
      return { do: kind, probe: probeOf(probes, random), mode: random.one(['works', ...MODES]) };
    case 'refuse':
    case 'admit':
    case 'remove':
      return { do: kind, probe: probeOf(probes, random) };
    case 'target':
      return { do: kind, monitor, up: random.happens(0.5) };
    case 'hinder':
      return { do: kind, monitor, on: random.happens(0.6) };
    case 'move': {
      const regions = probes.map((_, i) => i).filter(() => random.happens(0.5));
      return { do: kind, monitor, regions: regions.length > 0 ? regions : [0] };
    }
    case 'maintain':
      return { do: kind, monitor, seconds: random.one([60, 300]) };
    case 'host':
      return { do: kind, works: random.happens(0.5) };
    case 'no_server':
      return { do: kind, seconds: random.one([8, 20, 45, 120, 400]) };
    case 'restart':
      return { do: kind, second: random.happens(0.5) };
    case 'mail_down':
    case 'mail_up':
      return { do: kind };
    default:
      return { do: kind, monitor };
  }
}

const probeOf = (probes: readonly number[], random: Chance): number =>
  random.whole(0, probes.reduce((sum, each) => sum + each, 0) - 1);

/** A walk in words, for a report. */
export const wordsOf = ({ probes, steps }: Walk): string =>
  [`probes ${probes.join(' and ')}`, ...steps.map(inWords)].join('; ');

function inWords({ do: kind, ...rest }: Step): string {
  const values = Object.entries(rest).flatMap(([key, value]) => {
    if (value === false) return [`not ${key}`];
    if (value === true) return [key];
    return [key === 'seconds' ? `${value} s` : String(value)];
  });
  return [kind.replace('_', ' '), ...values].join(' ');
}
