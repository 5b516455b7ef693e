import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, AgentCurve } from '#src/agents/contract.ts';
import { HostStateWord } from '../HostStateWord.tsx';
import { fullestDisk, hostState, labelsOf } from '../host-state.ts';
import { UpgradeBadge } from '../UpgradeBadge.tsx';
import { Gauge } from './Gauge.tsx';
import styles from './HostRow.module.css';

type Props = { orgId: string; agent: Agent; failing: number; curve: AgentCurve | undefined };

/** One row of the list: the state of a host and its last three hours. The whole row links to its page. */
export const HostRow = memo(function HostRow({ orgId, agent, failing, curve }: Props) {
  const { t } = useTranslation();
  const state = hostState(agent);
  // The last measurement is out of date.
  const old = !agent.online;
  const disk = fullestDisk(agent);
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.what}>
        <span className={styles.line}>
          <Link
            data-row
            className={styles.name}
            to="/o/$orgId/hosts/$agentId"
            params={{ orgId, agentId: agent.id }}
            title={agent.hostname}
          >
            {agent.hostname}
          </Link>
          <HostStateWord agent={agent} />
        </span>
        <span className={styles.line}>
          <span className={styles.system}>
            {agent.os} · {agent.arch}
          </span>
          <UpgradeBadge agent={agent} />
        </span>
        {agent.labels === '' ? null : (
          <span className={styles.labels}>
            {labelsOf(agent).map((label) => (
              <span key={label} className={styles.label}>
                {label}
              </span>
            ))}
          </span>
        )}
      </span>
      <Gauge label={t('hosts.cpu')} percent={agent.last_cpu_pct} old={old} curve={curve?.cpu_pct ?? []} />
      <Gauge label={t('hosts.memory')} percent={agent.last_mem_pct} old={old} curve={curve?.mem_pct ?? []} />
      <Gauge label={t('hosts.diskShort')} percent={disk.percent} old={old} of={disk.mount} />
      <span className={styles.monitors}>
        <span>{t('hosts.monitorCount', { count: agent.monitor_count })}</span>
        {failing === 0 ? null : (
          <span className={styles.failing}>{t('hosts.failing', { count: failing })}</span>
        )}
      </span>
    </li>
  );
});
