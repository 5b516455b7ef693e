// The monitors that stand on hosts, by host: kept current by the live stream, as every list of monitors is.
import type { Monitor } from '#src/monitors/contract.ts';
import { useOrganizationMonitors } from '../monitors/form/use-organization-monitors.ts';

/** The host that a monitor stands on; null where it stands on none. */
export function hostOf({ type, config }: Pick<Monitor, 'type' | 'config'>): string | null {
  if (type !== 'agent' && type !== 'service') return null;
  return (config as { agent_id?: string } | null)?.agent_id ?? null;
}

/** Monitors on hosts by the id of the host; `isPending` until all of them are known. */
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
