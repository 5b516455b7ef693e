import { Button, Switch, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Agent, type AgentUpdate, getAgent, updateAgent } from '#src/agents/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { labelsOf } from '../host-state.ts';
import own from './HostSettings.module.css';

/** The settings of a host: labels, what it may send, and whether it may be offline. */
export function HostSettings({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const write = useWrite();
  const params = { org_id: orgId, agent_id: agent.id };
  const save = (body: AgentUpdate) =>
    write.run(() =>
      send(updateAgent, { params, body }, (saved) =>
        queryClient.setQueryData(read(getAgent, { params }).queryKey, saved),
      ),
    );
  return (
    <Panel title={t('hosts.settings')}>
      <div className={styles.stack}>
        <Labels
          key={agent.labels}
          agent={agent}
          busy={write.busy}
          onSave={(labels) => void save({ labels })}
        />
        <Switch
          label={t('hosts.expectedOffline')}
          description={t('hosts.expectedOfflineHint')}
          checked={agent.expected_offline}
          disabled={write.busy}
          onChange={(event) => void save({ expected_offline: event.currentTarget.checked })}
        />
        <Switch
          label={t('hosts.inventory')}
          description={t('hosts.inventoryHint')}
          checked={agent.inventory_enabled}
          disabled={write.busy}
          onChange={(event) => void save({ inventory_enabled: event.currentTarget.checked })}
        />
        <Refused write={write} />
      </div>
    </Panel>
  );
}

type LabelsProps = { agent: Agent; busy: boolean; onSave: (labels: string) => void };

function Labels({ agent, busy, onSave }: LabelsProps) {
  const { t } = useTranslation();
  const before = labelsOf(agent);
  const [labels, setLabels] = useState(before);
  const isChanged = labels.join() !== before.join();
  return (
    <div className={own.labels}>
      <UnsavedGuard isDirty={isChanged && !busy} />
      <TagsInput
        className={own.field}
        label={t('hosts.labels')}
        description={t('hosts.labelsHint')}
        placeholder={labels.length === 0 ? 'env=prod' : ''}
        splitChars={[',']}
        value={labels}
        onChange={setLabels}
      />
      {isChanged ? (
        <Button loading={busy} onClick={() => onSave(labels.join(','))}>
          {t('ui.save')}
        </Button>
      ) : null}
    </div>
  );
}
