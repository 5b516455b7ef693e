import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import { IconCheck, IconDots, IconEye, IconTrashX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type IncidentDetail, listIncidents } from '#src/incidents/contract.ts';
import { read } from '#web/read.ts';
import { useMayAct, useMayManage } from '#web/shell/my-role.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { useFocusWhenGone } from '#web/ui/use-focus-when-gone.ts';
import { othersRinging } from '../list/storms.ts';
import styles from './Actions.module.css';
import { HoldMenu } from './HoldMenu.tsx';
import type { IncidentSteps } from './use-incident-step.ts';

type Props = { orgId: string; incident: IncidentDetail; steps: IncidentSteps; onDiscard: () => void };

/** The actions that an incident allows now. */
export function IncidentActions({ orgId, incident, steps, onDiscard }: Props) {
  const isOpen = incident.status === 'open';
  const mayManage = useMayManage();
  if (!useMayAct()) return null;
  return (
    <>
      {isOpen && incident.acknowledged_at_unix === null ? (
        <Acknowledge orgId={orgId} incident={incident} steps={steps} />
      ) : null}
      {isOpen ? <Resolve incident={incident} steps={steps} /> : null}
      {isOpen && incident.acknowledged_at_unix === null ? <Hold incident={incident} steps={steps} /> : null}
      {mayManage && incident.lifecycle_state !== 'discarded' ? (
        <More disabled={isOpen || steps.running !== null} onDiscard={onDiscard} />
      ) : null}
    </>
  );
}

/** The incidents of a storm share one alarm and can be acknowledged together. */
function Acknowledge({ orgId, incident, steps }: Omit<Props, 'onDiscard'>) {
  const { t } = useTranslation();
  useFocusWhenGone();
  const open = useQuery({
    ...read(listIncidents, { params: { org_id: orgId }, query: { status: 'open', limit: 1000 } }),
    enabled: incident.group_id !== null,
  });
  const others = othersRinging(open.data ?? [], incident);
  const acknowledge = (group: boolean) => steps.run({ do: 'acknowledge', group });
  const shared = { disabled: steps.running !== null, loading: steps.running === 'acknowledge' };
  if (others === 0)
    return (
      <Button leftSection={<IconEye size={17} />} {...shared} onClick={() => acknowledge(false)}>
        {t('incidents.acknowledge')}
      </Button>
    );
  return (
    <>
      <Tooltip label={t('command.acknowledgeStorm', { count: others })} multiline w={260}>
        <Button leftSection={<IconEye size={17} />} {...shared} onClick={() => acknowledge(true)}>
          {t('command.acknowledgeAll')}
        </Button>
      </Tooltip>
      <Button variant="default" disabled={shared.disabled} onClick={() => acknowledge(false)}>
        {t('command.acknowledgeOne')}
      </Button>
    </>
  );
}

/** An incident that checks opened is still failing, or it would have resolved by itself: the dialog says so first. */
function Resolve({ incident, steps }: Pick<Props, 'incident' | 'steps'>) {
  const { t } = useTranslation();
  useFocusWhenGone();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        data-lead="resolve"
        variant="default"
        leftSection={<IconCheck size={17} />}
        disabled={steps.running !== null}
        loading={steps.running === 'resolve'}
        onClick={() => (incident.evidence === null ? steps.run({ do: 'resolve' }) : setAsking(true))}
      >
        {t('incidents.resolve')}
      </Button>
      <Confirm
        opened={asking}
        title={t('command.resolveTitle')}
        text={t('command.resolveText')}
        confirm={t('incidents.resolve')}
        onConfirm={() => steps.take({ do: 'resolve' })}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

function Hold({ incident, steps }: Pick<Props, 'incident' | 'steps'>) {
  const { t } = useTranslation();
  return (
    <HoldMenu
      label={t(incident.alarm_held_until_unix === null ? 'hold.button' : 'hold.again')}
      disabled={steps.running !== null}
      loading={steps.running === 'hold'}
      onHold={(seconds) => steps.run({ do: 'hold', seconds })}
    />
  );
}

function More({ disabled, onDiscard }: { disabled: boolean; onDiscard: () => void }) {
  const { t } = useTranslation();
  return (
    <Menu position="bottom-end" width={300}>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('command.more')}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconTrashX size={16} />} disabled={disabled} onClick={onDiscard}>
          {t('discard.button')}
          {disabled ? <MenuHint text={t('command.onlyClosed')} /> : null}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const MenuHint = ({ text }: { text: string }) => <span className={styles.menuHint}>{text}</span>;
