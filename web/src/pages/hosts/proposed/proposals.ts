// The monitors proposed for a host, from its metrics and services; existing ones are left out.
import type { Agent } from '#src/agents/contract.ts';
import { OF_MOUNT } from '#src/domain/agent.ts';
import type { ServiceKind } from '#src/domain/names.ts';
import { isServiceName } from '#src/domain/service-name.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { AgentConfig } from '#src/monitors/types/agent/config.ts';
import { mountsOf } from '../host-state.ts';

type Threshold = { threshold: number; degraded: number | null };

export type Proposal = {
  /** Identifies a proposal of a host: the metric, or the kind and name of a service. */
  key: string;
  /** The key of its words, under `hosts.proposed.what` of the texts. */
  what: 'online' | 'cpu' | 'memory' | 'disk' | 'temperature' | 'service';
  /** The mount or the service; null if there is only one. */
  of: string | null;
  limits: Threshold | null;
  /** The host's current value; null: none yet. */
  now: number | null;
  type: 'agent' | 'service';
  config: Record<string, unknown>;
};

type ExistingMonitor = Pick<Monitor, 'type' | 'config'>;
/** The key of a service. No kind contains a colon. */
export const serviceKey = (kind: string, name: string): string => `${kind}:${name}`;

function keysOf(existing: readonly ExistingMonitor[]): Set<string> {
  return new Set(
    existing.map(({ type, config }) => {
      const { metric, kind, service } = config as { metric?: string; kind?: string; service?: string };
      return type === 'service' ? serviceKey(kind ?? '', service ?? '') : (metric ?? '');
    }),
  );
}

/** Monitors on metrics: whether the host reports at all comes first. `existing` are the host's monitors. */
export function proposalsFor(agent: Agent, existing: readonly ExistingMonitor[]): Proposal[] {
  const known = keysOf(existing);
  const metric = (
    what: Proposal['what'],
    key: string,
    limits: Threshold | null,
    of: string | null = null,
  ): Proposal => {
    const { threshold, degraded } = limits ?? { threshold: null, degraded: null };
    const config = {
      agent_id: agent.id,
      metric: key,
      op: limits === null ? null : 'gt',
      threshold,
      degraded_threshold: degraded,
    } satisfies Omit<AgentConfig, 'window_seconds'>;
    return { key, what, of, limits, now: agent.readings[key] ?? null, type: 'agent', config };
  };
  const measured = (key: string) => agent.readings[key] !== undefined;
  return [
    metric('online', 'online', null),
    metric('cpu', 'cpu_pct', { threshold: 90, degraded: 80 }),
    metric('memory', 'mem_pct', { threshold: 90, degraded: null }),
    ...mountsOf(agent).map(({ mount }) =>
      metric('disk', `${OF_MOUNT}${mount}`, { threshold: 90, degraded: 80 }, mount),
    ),
    ...(measured('temp_c') ? [metric('temperature', 'temp_c', { threshold: 85, degraded: 75 })] : []),
  ].filter(({ key }) => !known.has(key));
}

export type RunningService = { kind: ServiceKind; name: string };

/** The services that the host reports and that a monitor can watch; several kinds may share a name. */
export function servicesToWatch(
  { process_inventory: processes, service_inventory: services }: Agent,
  existing: readonly ExistingMonitor[],
): RunningService[] {
  const known = keysOf(existing);
  const all = [
    ...(services as RunningService[]),
    ...[...new Set(processes)].map((name) => ({ kind: 'process' as const, name })),
  ];
  return all.filter(({ kind, name }) => isServiceName(name) && !known.has(serviceKey(kind, name)));
}

/** The monitor that expects the service to run. */
export const serviceProposal = (agent: Pick<Agent, 'id'>, { kind, name }: RunningService): Proposal => ({
  key: serviceKey(kind, name),
  what: 'service',
  of: name,
  limits: null,
  now: null,
  type: 'service',
  config: { agent_id: agent.id, service: name, kind },
});
