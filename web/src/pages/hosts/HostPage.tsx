import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Agent, getAgent } from '#src/agents/contract.ts';
import { isMissing } from '#web/missing.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { HostCharts } from './detail/HostCharts.tsx';
import { HostEvents } from './detail/HostEvents.tsx';
import { HostHead } from './detail/HostHead.tsx';
import { HostMonitors } from './detail/HostMonitors.tsx';
import { HostServices } from './detail/HostServices.tsx';
import { HostSettings } from './detail/HostSettings.tsx';
import styles from './HostPage.module.css';
import { HOSTS_POLL_MS } from './hosts.ts';
import { useHostMonitors } from './use-host-monitors.ts';

export default function HostPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { agentId } = useParams({ from: '/signed-in/o/$orgId/hosts/$agentId' });
  const host = useQuery({
    ...read(getAgent, { params: { org_id: orgId, agent_id: agentId } }),
    refetchInterval: HOSTS_POLL_MS,
  });
  if (host.data === undefined || isMissing(host.error))
    return (
      <PagePlaceholder
        query={host}
        title={t('hosts.one')}
        gone={t('hosts.gone')}
        back={
          <BackLink to="/o/$orgId/hosts" params={{ orgId }}>
            {t('hosts.all')}
          </BackLink>
        }
      />
    );
  return <Host key={agentId} agent={host.data} />;
}

function Host({ agent }: { agent: Agent }) {
  const mayManage = useMayManage();
  // They stand above the rest, which would be pushed down.
  const { isPending } = useHostMonitors();
  return (
    <>
      <HostHead agent={agent} />
      <div className={styles.parts}>
        <HostMonitors agent={agent} />
        {isPending ? null : (
          <>
            <HostCharts agent={agent} />
            <HostServices agent={agent} />
            {mayManage ? <HostSettings agent={agent} /> : null}
            <HostEvents agentId={agent.id} />
          </>
        )}
      </div>
    </>
  );
}
