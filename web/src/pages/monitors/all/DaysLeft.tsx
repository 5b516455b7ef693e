import { useTranslation } from 'react-i18next';
import styles from './DaysLeft.module.css';

/** From so many days on there is time to renew without haste. */
const SOON_DAYS = 14;

/** How long a certificate or the registration of a domain lasts; nothing where that is not known. */
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
