import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import type { EffectivePolicy } from '#src/domain/policy.ts';
import styles from './AlarmPolicyPage.module.css';
import { SetFields } from './SetFields.tsx';

type Props = {
  orgId: string;
  profile: AlertProfile;
  inForce: EffectivePolicy;
  /** null for readers without the right to edit. */
  onDelete: (() => void) | null;
};

export function ProfileRow({ orgId, profile, inForce, onDelete }: Props) {
  const { t } = useTranslation();
  const { id, name, monitor_count } = profile;
  return (
    <li className={styles.profile}>
      <h3 className={styles.name}>
        <bdi>{name}</bdi>
        <span className={styles.users}>{t('alarmPolicy.profiles.usedBy', { count: monitor_count })}</span>
      </h3>
      <div className={styles.fields}>
        <SetFields set={profile} inForce={inForce} />
      </div>
      {onDelete === null ? null : (
        <div className={`${styles.buttons} ${styles.ends}`}>
          <Button
            size="xs"
            variant="default"
            aria-label={t('alarmPolicy.profiles.editOf', { name })}
            renderRoot={(props) => (
              <Link
                {...props}
                to="/o/$orgId/settings/alarm-policy/profiles/$profileId"
                params={{ orgId, profileId: id }}
              />
            )}
          >
            {t('ui.edit')}
          </Button>
          <Button
            size="xs"
            variant="default"
            aria-label={t('alarmPolicy.profiles.deleteOf', { name })}
            onClick={onDelete}
          >
            {t('ui.delete')}
          </Button>
        </div>
      )}
    </li>
  );
}
