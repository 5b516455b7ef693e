import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { MONITOR_STATES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { targetOf } from '#web/pages/monitors/types.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { displayState, StatusWord } from '#web/ui/StatusGlyph.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { ProposedMonitors } from '../proposed/ProposedMonitors.tsx';
import { proposalsFor } from '../proposed/proposals.ts';
import { useHostMonitors } from '../use-host-monitors.ts';
import styles from './HostMonitors.module.css';

/** The monitors of a host; while it has none, the proposed ones. */
export function HostMonitors({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const mayManage = useMayManage();
  const [asked, ask] = useDisclosure(false);
  const { byHost, isPending } = useHostMonitors();
  const now = useNow();
  const urgency = (monitor: Monitor) => MONITOR_STATES.indexOf(displayState(monitor, now));
  const monitors = [...(byHost.get(agent.id) ?? [])].sort((a, b) => urgency(a) - urgency(b));
  const isShown = mayManage && (asked || monitors.length === 0);
  const more = proposalsFor(agent, monitors).length;
  return (
    <Panel
      title={t('hosts.monitors')}
      aside={
        mayManage && !isShown && !isPending ? (
          <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={ask.open}>
            {more === 0 ? t('hosts.proposed.title') : t('hosts.proposed.more', { count: more })}
          </Button>
        ) : null
      }
    >
      {isPending ? <LoadingRows count={3} height={34} /> : null}
      {isPending || monitors.length > 0 || mayManage ? null : (
        <p className={styles.none}>{t('hosts.noMonitors')}</p>
      )}
      {monitors.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('hosts.monitors')}>
          {monitors.map((monitor) => (
            <Row key={monitor.id} monitor={monitor} />
          ))}
        </ul>
      )}
      {isShown && !isPending ? (
        <div className={styles.proposed} data-below={monitors.length > 0 || undefined}>
          <p className={styles.lead}>{t('hosts.proposed.lead')}</p>
          <ProposedMonitors agent={agent} existing={monitors} />
        </div>
      ) : null}
    </Panel>
  );
}

function Row({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  return (
    <li className={styles.row}>
      <StatusWord monitor={monitor} />
      <Link
        className={styles.name}
        to="/o/$orgId/monitors/$monitorId"
        params={{ orgId, monitorId: monitor.id }}
      >
        {monitor.name}
      </Link>
      <span className={styles.what}>{targetOf(monitor, t, formats)}</span>
    </li>
  );
}
