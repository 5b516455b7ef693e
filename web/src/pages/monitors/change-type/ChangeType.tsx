import { Button, Modal, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorType } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import stack from '#web/ui/Form.module.css';
import { OFFERED_TYPES } from '../types.ts';
import styles from './ChangeType.module.css';

/** Explains what is kept and what is lost, then opens the form of the new type; nothing changes until it is saved. */
export function ChangeType({ monitor }: { monitor: Pick<Monitor, 'id' | 'type'> }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const [type, setType] = useState<MonitorType | null>(null);
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => setOpened(true)}>
        {t('changeType.button')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        title={t('changeType.title')}
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <div className={stack.stack}>
          <Select
            label={t('changeType.to')}
            searchable
            value={type}
            data={OFFERED_TYPES.map(({ group, types }) => ({
              group: t(`typeGroups.${group}`),
              items: types
                .filter((each) => each.type !== monitor.type)
                .map((each) => ({ value: each.type, label: t(`types.${each.type}.name`) })),
            })).filter(({ items }) => items.length > 0)}
            onChange={(value) => setType(value as MonitorType | null)}
          />
          <dl className={styles.what}>
            <dt>{t('changeType.kept')}</dt>
            <dd>{t('changeType.keptText')}</dd>
            <dt>{t('changeType.lost')}</dt>
            <dd>{t('changeType.lostText')}</dd>
            <dt>{t('changeType.anew')}</dt>
            <dd>{t('changeType.anewText')}</dd>
          </dl>
          <div className={stack.actions}>
            <Button variant="default" onClick={close}>
              {t('ui.cancel')}
            </Button>
            <Button
              disabled={type === null}
              onClick={() => {
                if (type === null) return;
                close();
                void navigate({
                  to: '/o/$orgId/monitors/$monitorId/edit',
                  params: { orgId, monitorId: monitor.id },
                  search: { type },
                });
              }}
            >
              {t('changeType.go')}
            </Button>
          </div>
        </div>
      </Modal>
    </>
  );
}
