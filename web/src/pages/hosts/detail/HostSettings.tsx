import { Button, Switch, TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Agent, type AgentUpdate, getAgent, updateAgent } from '#src/agents/contract.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import { useMeanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from '#web/ui/Form.module.css';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWrite, type Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { labelsOf } from '../host-state.ts';
import own from './HostSettings.module.css';

/** The settings of a host: labels, what it may send, and whether it may be offline. */
export function HostSettings({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const write = useWrite();
  const params = { org_id: orgId, agent_id: agent.id };
  const saved = (body: AgentUpdate) =>
    send(updateAgent, { params, body }, (reply) =>
      queryClient.setQueryData(read(getAgent, { params }).queryKey, reply),
    );
  const save = (body: AgentUpdate) => write.run(() => saved(body));
  return (
    <Panel title={t('hosts.settings')}>
      <div className={styles.stack}>
        <Labels agent={agent} write={write} onSave={(labels) => saved({ labels })} />
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

type LabelsProps = { agent: Agent; write: Write; onSave: (labels: string) => Promise<Agent> };

function Labels({ agent, write, onSave }: LabelsProps) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const stored = { labels: labelsOf(agent) };
  // null: untouched, so it follows a change elsewhere.
  const [written, setWritten] = useState<string[] | null>(null);
  const labels = written ?? stored.labels;
  const isChanged = labels.join() !== stored.labels.join();
  const meanwhile = useMeanwhile(stored, { labels }, (values) => setWritten(values.labels));

  /** Saves them, unless somebody else has changed them. */
  async function save() {
    const current = read(getAgent, { params: { org_id: orgId, agent_id: agent.id } });
    const now = await queryClient.fetchQuery({ ...current, staleTime: 0 });
    if (!meanwhile.admits({ labels }, { labels: labelsOf(now) })) return;
    const saved = { labels: labelsOf(await onSave(labels.join(','))) };
    // What was typed meanwhile is not part of it, and counted from what is saved now.
    meanwhile.rebase(saved);
    setWritten((now) => (now === written ? null : now));
  }

  return (
    <div className={own.labels}>
      <UnsavedGuard isDirty={isChanged} isSaving={write.busy} />
      <ChangedMeanwhile
        clashes={meanwhile.clashes}
        stopped={meanwhile.stopped}
        labelOf={() => t('hosts.labels')}
        onSettle={meanwhile.settle}
      />
      <TagsInput
        className={own.field}
        label={t('hosts.labels')}
        description={t('hosts.labelsHint')}
        placeholder={labels.length === 0 ? 'env=prod' : ''}
        splitChars={[',']}
        value={labels}
        onChange={(next) => {
          if (written === null) meanwhile.rebase(stored);
          setWritten(next);
        }}
      />
      {isChanged ? (
        <Button loading={write.busy} onClick={() => void write.run(save)}>
          {t('ui.save')}
        </Button>
      ) : null}
    </div>
  );
}
