import { UnstyledButton } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type Agent, getAgent, upgradeAgent } from '#src/agents/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './UpgradeBadge.module.css';

/** Says that an agent is older than the server, and offers the upgrade to those who may start it; otherwise nothing. */
export function UpgradeBadge({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const write = useWrite({ show: inNote });
  if (!agent.outdated) return null;
  const versions = { from: agent.agent_version, to: agent.latest_version };
  if (agent.upgrade_asked)
    return (
      <span className={styles.badge} title={t('hosts.upgradeAskedHint', versions)}>
        {t('hosts.upgradeAsked')}
      </span>
    );
  if (!mayManage)
    return (
      <span className={styles.badge} title={t('hosts.outdatedHint', versions)}>
        {t('hosts.outdated')}
      </span>
    );
  const params = { org_id: orgId, agent_id: agent.id };
  const upgrade = () =>
    write.run(() =>
      send(upgradeAgent, { params }, (asked) =>
        queryClient.setQueryData(read(getAgent, { params }).queryKey, asked),
      ),
    );
  return (
    <UnstyledButton
      className={`${styles.badge} ${styles.button}`}
      title={t('hosts.outdatedHint', versions)}
      disabled={write.busy}
      aria-label={t('hosts.upgradeOf', { name: agent.hostname, ...versions })}
      onClick={() => void upgrade()}
    >
      <IconArrowUp size={13} stroke={2} aria-hidden="true" />
      {t('hosts.upgrade')}
    </UnstyledButton>
  );
}
