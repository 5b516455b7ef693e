import { useTranslation } from 'react-i18next';
import { type Agent, removeAgent } from '#src/agents/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import { useRemoveAndLeave } from '#web/ui/use-leave.ts';
import { send } from '#web/write.ts';

type Props = { agent: Agent; opened: boolean; onClose: () => void };

/** Asks before a host is removed: how many monitors are deleted with it, and how to uninstall the agent. */
export function RemoveHost({ agent, opened, onClose }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const removeAndLeave = useRemoveAndLeave();
  const remove = () =>
    removeAndLeave({ to: '/o/$orgId/hosts', params: { orgId } }, (leave) =>
      send(removeAgent, { params: { org_id: orgId, agent_id: agent.id } }, leave),
    );
  return (
    <Confirm
      opened={opened}
      title={t('hosts.removeTitle', { name: agent.hostname })}
      text={`${t('hosts.removeMonitors', { count: agent.monitor_count })} ${t('hosts.removeText')}`}
      confirm={t('hosts.removeConfirm')}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>{t('hosts.uninstall')}</p>
      <CopyBlock
        label={t('hosts.uninstallCommand')}
        text="sudo node /usr/local/lib/tocsin-agent/tocsin-agent.mjs uninstall --yes"
      />
    </Confirm>
  );
}
