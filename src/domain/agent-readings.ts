// Sorts the readings of a heartbeat into what can be kept and what is dropped and named
// (docs/rules/agents.md#readings). Pure.
import { isMount, READING_NAMES, READINGS, type ReadingName, SERVICE_BOUNDS } from './agent.ts';
import { SERVICE_KINDS } from './names.ts';

type Given = number | null | undefined;

/** As an agent sends them; types are checked already. */
export type SentReadings = { [name in ReadingName]?: Given } & {
  uptime_seconds?: Given;
  disks?: readonly { mount: string; pct: Given }[] | null | undefined;
};
export type SentService = {
  kind: string;
  name: string;
  running: boolean;
  cpu_pct?: Given;
  mem_mb?: Given;
};
export type SentHeartbeat = {
  readings: SentReadings;
  services?: readonly SentService[] | null | undefined;
};

export type KeptService = {
  kind: string;
  name: string;
  running: boolean;
  cpu_pct: number | null;
  mem_mb: number | null;
};

/** `dropped`: paths into the heartbeat, `readings.cpu_pct`. */
export type FilteredReadings = {
  values: { [name in ReadingName]?: number };
  disks: Record<string, number>;
  uptimeSeconds: number | null;
  services: KeptService[];
  dropped: string[];
};

export type Most = { disks: number; services: number };

const DAY_SECONDS = 86_400;
/** A century: no machine is up for longer. */
const MAX_UPTIME_SECONDS = 36_525 * DAY_SECONDS;
/** Names of what was dropped; the rest is counted. */
const MAX_NAMED = 20;
/** Control characters, and others that show nothing or turn what follows around. */
const INVISIBLE = /[\p{C}\u2028\u2029]/u;
const MAX_NAME = 128;

/** Keeps what is within bounds, once each; `most` bounds the lists. */
export function filterReadings({ readings, services }: SentHeartbeat, most: Most): FilteredReadings {
  const dropped: string[] = [];
  const kept: FilteredReadings = { values: {}, disks: {}, uptimeSeconds: null, services: [], dropped };
  const within = (path: string, value: Given, min: number, max: number): number | null => {
    if (value === null || value === undefined) return null;
    if (Number.isFinite(value) && value >= min && value <= max) return value;
    dropped.push(path);
    return null;
  };
  for (const name of READING_NAMES) {
    const { min, max } = READINGS[name];
    const value = within(`readings.${name}`, readings[name], min, max);
    if (value !== null) kept.values[name] = value;
  }
  kept.uptimeSeconds = within('readings.uptime_seconds', readings.uptime_seconds, 0, MAX_UPTIME_SECONDS);
  const mounts = new Set<string>();
  for (const [i, { mount, pct }] of (readings.disks ?? []).entries()) {
    const path = `readings.disks[${i}]`;
    if (mounts.size >= most.disks || mounts.has(mount) || !isMount(mount)) {
      dropped.push(path);
      continue;
    }
    mounts.add(mount);
    const value = within(`${path}.pct`, pct, 0, 100);
    if (value !== null) kept.disks[mount] = value;
  }
  const seen = new Set<string>();
  for (const [i, { kind, name, running, cpu_pct, mem_mb }] of (services ?? []).entries()) {
    const path = `services[${i}]`;
    const key = `${kind} ${name}`;
    if (!isKind(kind) || !isPlainName(name) || seen.has(key) || kept.services.length >= most.services) {
      dropped.push(path);
      continue;
    }
    seen.add(key);
    kept.services.push({
      ...{ kind, name, running },
      cpu_pct: within(`${path}.cpu_pct`, cpu_pct, SERVICE_BOUNDS.cpu_pct.min, SERVICE_BOUNDS.cpu_pct.max),
      mem_mb: within(`${path}.mem_mb`, mem_mb, SERVICE_BOUNDS.mem_mb.min, SERVICE_BOUNDS.mem_mb.max),
    });
  }
  return kept;
}

const isKind = (kind: string): boolean => (SERVICE_KINDS as readonly string[]).includes(kind);

/** A name of a process, a service or a container that can be shown: nothing invisible, 1 to 128 characters. */
export const isPlainName = (name: string): boolean =>
  name.trim() !== '' && [...name].length <= MAX_NAME && !INVISIBLE.test(name);

/** The first names, and the number of the others. */
export function namedDropped(dropped: readonly string[]): string[] {
  const more = dropped.length - MAX_NAMED;
  return more <= 0 ? [...dropped] : [...dropped.slice(0, MAX_NAMED), `and ${more} more`];
}
