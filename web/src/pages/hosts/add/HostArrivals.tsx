import { Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import arrival from '#web/pages/operator/regions/ProbeArrival.module.css';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { hostsOf } from '../hosts.ts';
import { ProposedMonitors } from '../proposed/ProposedMonitors.tsx';
import { useHostMonitors } from '../use-host-monitors.ts';
import styles from './HostArrivals.module.css';

const HOSTS_POLL_MS = 3_000;

/** Polls until the command has enrolled as many hosts as it may, and proposes monitors for each. */
export function HostArrivals({ uses, since }: { uses: number; since: number }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const hosts = useQuery({ ...hostsOf(orgId), refetchInterval: HOSTS_POLL_MS });
  const arrived = (hosts.data ?? []).filter(({ enrolled_at_unix: at }) => at >= since);
  return (
    <div className={styles.arrivals} aria-live="polite">
      {arrived.map((agent) => (
        <Arrived key={agent.id} orgId={orgId} agent={agent} />
      ))}
      {arrived.length >= uses ? null : (
        <div className={arrival.arrival}>
          <Loader size={15} color="var(--ink-3)" aria-hidden="true" />
          <span>{t(arrived.length === 0 ? 'hosts.enrol.waiting' : 'hosts.enrol.waitingMore')}</span>
        </div>
      )}
    </div>
  );
}

function Arrived({ orgId, agent }: { orgId: string; agent: Agent }) {
  const { t } = useTranslation();
  const { byHost, isPending } = useHostMonitors();
  return (
    <section className={styles.arrived} aria-label={agent.hostname}>
      <div className={arrival.arrival} data-arrived>
        <StatusGlyph state="passed" size={13} />
        <span>
          {t('hosts.enrol.arrived')}{' '}
          <Link to="/o/$orgId/hosts/$agentId" params={{ orgId, agentId: agent.id }} className={styles.host}>
            {agent.hostname}
          </Link>
          <span className={styles.system}>
            {' '}
            {agent.os} · {agent.arch}
          </span>
        </span>
      </div>
      {isPending ? null : (
        <>
          <h4 className={styles.title}>{t('hosts.proposed.title')}</h4>
          <ProposedMonitors agent={agent} existing={byHost.get(agent.id) ?? []} />
        </>
      )}
    </section>
  );
}
