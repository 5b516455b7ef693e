import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { getAgent } from '#src/agents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { HostStateWord } from '#web/pages/hosts/HostStateWord.tsx';
import { hostOf } from '#web/pages/hosts/use-host-monitors.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './HostLink.module.css';

/** A link to the monitor's host, with whether it reports; nothing for other monitors, or if the host is gone. */
export function HostLink({ monitor }: { monitor: Monitor }) {
  const orgId = useOrgId();
  const agentId = hostOf(monitor) ?? '';
  const host = useQuery({
    ...read(getAgent, { params: { org_id: orgId, agent_id: agentId } }),
    enabled: agentId !== '',
    refetchInterval: 60_000,
  });
  if (host.data === undefined || host.isError) return null;
  return (
    <span className={styles.host}>
      <Link to="/o/$orgId/hosts/$agentId" params={{ orgId, agentId }}>
        {host.data.hostname}
      </Link>
      {host.data.online ? null : <HostStateWord agent={host.data} />}
    </span>
  );
}
