import { Modal, Select, Switch, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cloneMonitor } from '#src/monitors/clone/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';

type Props = {
  monitor: Pick<Monitor, 'id' | 'name' | 'project_id' | 'enabled'>;
  onClose: () => void;
};

/** Asks for a clone's name and project, creates it and opens it. */
export function CloneMonitor({ monitor, onClose }: Props) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const write = useWrite();
  const { projects } = useChosenProject();
  const [name, setName] = useState(() => t('monitor.cloneName', { name: monitor.name }));
  const [project, setProject] = useState(monitor.project_id);
  const [enabled, setEnabled] = useState(monitor.enabled);
  // Who has closed the dialog is somewhere else.
  const isOpen = useRef(false);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  const params = { monitor_id: monitor.id };
  const body = { name, project_id: project, enabled };

  const clone = () =>
    write.run(() =>
      send(cloneMonitor, { params, body }, ({ id }) =>
        isOpen.current
          ? navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId: id } })
          : undefined,
      ),
    );

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('monitor.cloneOf', { name: monitor.name })}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      <form
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          void clone().then((done) => isOpen.current && done && onClose());
        }}
      >
        <p>{t('monitor.cloneText')}</p>
        <TextInput
          label={t('monitor.cloneAs')}
          data-autofocus
          required
          withAsterisk={false}
          value={name}
          error={write.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {projects.length > 1 ? (
          <Select
            label={t('allMonitors.project')}
            searchable
            allowDeselect={false}
            value={project}
            data={projects.map((each) => ({ value: each.id, label: each.name }))}
            onChange={(value) => value !== null && setProject(value)}
          />
        ) : null}
        <Switch
          label={t('monitor.cloneEnabled')}
          checked={enabled}
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <Refused write={write} fields={['name']} />
        <FormActions
          submit={t('monitor.clone')}
          disabled={name.trim() === ''}
          busy={write.busy}
          onCancel={onClose}
        />
      </form>
    </Modal>
  );
}
