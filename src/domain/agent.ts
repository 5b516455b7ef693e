// Browser-safe and agent-safe. What a host agent measures, and when it counts as silent (docs/rules/agents.md).
import type { SeriesUnit } from './names.ts';

/** Seconds between the heartbeats of an agent; while one of its monitors is failing, the server asks for more. */
export const HEARTBEAT_SECONDS = 60;
/** An agent is online, and not silent, while its last heartbeat is younger than this. */
export const SILENT_AFTER_SECONDS = 3 * HEARTBEAT_SECONDS;

/** The modules of an agent. It reports those that work on its machine. */
export const AGENT_MODULES = [
  'cpu',
  'memory',
  'disk',
  'network',
  'load',
  'services',
  'processes',
  'docker',
] as const;
export type AgentModule = (typeof AGENT_MODULES)[number];

type Reading = { unit: SeriesUnit; min: number; max: number };

const PERCENT: Reading = { unit: 'pct', min: 0, max: 100 };
const LOAD: Reading = { unit: 'load', min: 0, max: 1e6 };
const RATE: Reading = { unit: 'bps', min: 0, max: 1e15 };

/**
 * The readings of a heartbeat that are one number each, with their bounds: what lies outside is dropped and named
 * (docs/rules/agents.md#readings). Beside them stand `disks`, a percentage for each mount.
 */
export const READINGS = {
  cpu_pct: PERCENT,
  mem_pct: PERCENT,
  disk_pct: PERCENT,
  swap_pct: PERCENT,
  load1: LOAD,
  load5: LOAD,
  load15: LOAD,
  net_rx_bps: RATE,
  net_tx_bps: RATE,
  temp_c: { unit: 'celsius', min: -100, max: 1000 },
} as const satisfies Record<string, Reading>;
export type ReadingName = keyof typeof READINGS;
export const READING_NAMES = Object.keys(READINGS) as ReadingName[];

/** Bounds of what is measured of a service: CPU in percent of one core, memory in MB. */
export const SERVICE_BOUNDS = { cpu_pct: { min: 0, max: 1e6 }, mem_mb: { min: 0, max: 1e9 } } as const;

/** Begins the metric of one mount: `disk_pct:/var`. */
export const OF_MOUNT = 'disk_pct:';

/** `/`, `/var/lib`, `C:`, `C:\data`; no control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a mount point has none.
const MOUNT = /^(\/|[A-Za-z]:(\\|$))[^\u0000-\u001f\u007f]*$/;
/** With the prefix that names its metric, as long as the metric of a monitor may be: 512. */
const MAX_MOUNT_CHARACTERS = 503;

export const isMount = (mount: string): boolean => mount.length <= MAX_MOUNT_CHARACTERS && MOUNT.test(mount);

/** The unit of a metric that an agent measures; null: there is no such metric (`online` has no values). */
export function unitOfMetric(metric: string): SeriesUnit | null {
  if (metric.startsWith(OF_MOUNT)) return isMount(metric.slice(OF_MOUNT.length)) ? 'pct' : null;
  return Object.hasOwn(READINGS, metric) ? READINGS[metric as ReadingName].unit : null;
}
