import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from './MissingFeature.module.css';

/** Names the feature that the plan lacks, with a link to the plan. */
export function MissingFeature({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  return (
    <div className={styles.lacks} role="note">
      <IconLock size={18} aria-hidden="true" />
      <p>
        {t('command.plan')}{' '}
        <Link to="/o/$orgId/settings/plan" params={{ orgId }}>
          {t('command.planLink')}
        </Link>
      </p>
    </div>
  );
}
