// The state of a host as people see it: whether it reports, and which resource is nearly full.
import type { Agent } from '#src/agents/contract.ts';
import { OF_MOUNT } from '#src/domain/agent.ts';
import type { DisplayState } from '#web/ui/StatusGlyph.tsx';

/** `away`: silent, but allowed to be offline. `waiting`: enrolled, and has never reported. */
export type HostState = 'online' | 'silent' | 'away' | 'waiting';

type ReportingHost = Pick<Agent, 'online' | 'expected_offline' | 'last_heartbeat_at_unix'>;

export function hostState(agent: ReportingHost): HostState {
  if (agent.online) return 'online';
  if (agent.last_heartbeat_at_unix === null) return 'waiting';
  return agent.expected_offline ? 'away' : 'silent';
}

/** The glyph of the state. */
export const GLYPHS = {
  online: 'passed',
  silent: 'failed',
  away: 'paused',
  waiting: 'pending',
} as const satisfies Record<HostState, DisplayState>;

/** Percentages from which a reading is critical, and from which it deserves attention. */
export const CRITICAL_PERCENT = 90;
export const WARNING_PERCENT = 80;

export type UsageLevel = 'critical' | 'warning' | 'normal';

export function usageLevelOf(percent: number | null): UsageLevel {
  if (percent === null || percent < WARNING_PERCENT) return 'normal';
  return percent >= CRITICAL_PERCENT ? 'critical' : 'warning';
}

export type MountReading = { mount: string; percent: number };

/** The mounts that a host reports, fullest first. */
export function mountsOf({ readings }: Pick<Agent, 'readings'>): MountReading[] {
  return Object.entries(readings)
    .filter(([metric]) => metric.startsWith(OF_MOUNT))
    .map(([metric, percent]) => ({ mount: metric.slice(OF_MOUNT.length), percent }))
    .sort((a, b) => b.percent - a.percent || a.mount.localeCompare(b.mount));
}

/** The fullest disk and its usage, if the host reports any. */
export function fullestDisk(agent: Pick<Agent, 'readings' | 'last_disk_pct'>): {
  percent: number | null;
  mount: string | undefined;
} {
  const [fullest] = mountsOf(agent);
  return { percent: agent.last_disk_pct ?? fullest?.percent ?? null, mount: fullest?.mount };
}

/** Parses labels as people type them: `env=prod, db` is two labels. */
export function labelsOf({ labels }: Pick<Agent, 'labels'>): string[] {
  return labels
    .split(',')
    .map((label) => label.trim())
    .filter((label) => label !== '');
}
