import { Button, Modal } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { type AlertProfile, deleteAlertProfile } from '#src/alarm-policy/contract.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import styles from '#web/ui/Form.module.css';
import { send } from '#web/write.ts';
import { ProfileUsers } from './ProfileUsers.tsx';

type Props = { profile: AlertProfile | null; onClose: () => void };

/** Asks before a profile is deleted. If monitors use it, shows them instead, since the server would refuse. */
export function DeleteProfile({ profile, onClose }: Props) {
  const { t } = useTranslation();
  const name = profile?.name ?? '';
  const isUsed = (profile?.monitor_count ?? 0) > 0;

  async function remove() {
    if (profile === null) return;
    // Refused if a monitor has started using it meanwhile: with the new count the dialog lists the monitors.
    await send(deleteAlertProfile, { params: { profile_id: profile.id } }, () =>
      notifications.show({ message: t('alarmPolicy.profiles.deleted', { name }) }),
    );
  }

  return (
    <>
      <Modal
        opened={profile !== null && isUsed}
        onClose={onClose}
        title={t('alarmPolicy.profiles.inUse', { name })}
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <div className={styles.stack}>
          <p>{t('alarmPolicy.profiles.inUseText', { count: profile?.monitor_count ?? 0 })}</p>
          {profile === null ? null : <ProfileUsers profileId={profile.id} />}
          <div className={styles.actions}>
            <Button onClick={onClose}>{t('ui.close')}</Button>
          </div>
        </div>
      </Modal>
      <Confirm
        opened={profile !== null && !isUsed}
        title={t('alarmPolicy.profiles.deleteTitle', { name })}
        text={t('alarmPolicy.profiles.deleteText')}
        confirm={t('ui.delete')}
        onConfirm={remove}
        onClose={onClose}
      />
    </>
  );
}
