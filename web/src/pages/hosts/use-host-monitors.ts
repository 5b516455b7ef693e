// The monitors on hosts, by host. The live stream keeps them current, as it does every list of monitors.
import type { Monitor } from '#src/monitors/contract.ts';
import { useOrganizationMonitors } from '../monitors/form/use-organization-monitors.ts';

/** The host of a monitor; null for monitors that are not on a host. */
export function hostOf({ type, config }: Pick<Monitor, 'type' | 'config'>): string | null {
  if (type !== 'agent' && type !== 'service') return null;
  return (config as { agent_id?: string } | null)?.agent_id ?? null;
}

/** Monitors by the id of their host; `isPending` until all are loaded. */
export function useHostMonitors(): { byHost: ReadonlyMap<string, Monitor[]>; isPending: boolean } {
  const { projects, isPending } = useOrganizationMonitors();
  const byHost = new Map<string, Monitor[]>();
  for (const monitor of projects.flatMap(({ monitors }) => monitors)) {
    const host = hostOf(monitor);
    if (host === null) continue;
    const known = byHost.get(host);
    if (known === undefined) byHost.set(host, [monitor]);
    else known.push(monitor);
  }
  return { byHost, isPending };
}
