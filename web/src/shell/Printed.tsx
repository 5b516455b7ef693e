import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { BROWSER_ZONE, zoneName } from '#web/pages/on-call/zones.ts';
import { useNow } from '#web/ui/use-now.ts';
import styles from './Printed.module.css';

/** On paper alone: when it was printed, and whose time that is. Times of the same day are shown without it. */
export function Printed() {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <p className={styles.printed}>
      {t('shell.printed', { when: formats.dateAndTime(useNow()), zone: zoneName(BROWSER_ZONE) })}
    </p>
  );
}
