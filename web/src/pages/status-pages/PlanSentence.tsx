import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from '#web/ui/Locked.module.css';

/** Names the feature that the plan lacks, with a link to the plan. */
export function PlanSentence({ orgId, text }: { orgId: string; text: string }) {
  const { t } = useTranslation();
  return (
    <p className={styles.reason}>
      <IconLock size={15} stroke={1.7} aria-hidden="true" />
      <span>
        {text}{' '}
        <Link to="/o/$orgId/settings/plan" params={{ orgId }}>
          {t('command.planLink')}
        </Link>
      </span>
    </p>
  );
}
