import { useTranslation } from 'react-i18next';
import styles from './DaysLeft.module.css';

/** From this many days on there is plenty of time to renew. */
const SOON_DAYS = 14;

/** How long a certificate or a domain registration remains valid; nothing if unknown. */
export function DaysLeft({ days, type }: { days: number | null; type: string }) {
  const { t } = useTranslation();
  if (days === null) return null;
  const level = days < 0 ? 'over' : days < SOON_DAYS ? 'soon' : 'calm';
  const title = t(type === 'domain' ? 'allMonitors.domainEnds' : 'allMonitors.certificateEnds');
  return (
    <span className={styles.days} data-level={level} title={title}>
      {level === 'over' ? t('allMonitors.expired') : t('allMonitors.daysLeft', { count: Math.floor(days) })}
    </span>
  );
}
