import { useTranslation } from 'react-i18next';
import type { MaintenanceState } from '#src/domain/names.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { useFormats } from '#web/format.ts';
import styles from './WindowTimes.module.css';

/** The start and end, in the reader's time zone. */
export function WindowTimes({ window }: { window: MaintenanceWindow }) {
  const formats = useFormats();
  const { scheduled_start: from, scheduled_end: until } = window;
  return (
    <span title={`${formats.full(from)} – ${formats.full(until)}`}>
      {new Intl.DateTimeFormat(formats.language, {
        hourCycle: 'h23',
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        ...(isThisYear(from) && isThisYear(until) ? {} : { year: 'numeric' }),
        hour: '2-digit',
        minute: '2-digit',
      }).formatRange(from * 1_000, until * 1_000)}
    </span>
  );
}

const isThisYear = (unix: number) => new Date(unix * 1_000).getFullYear() === new Date().getFullYear();

export function StateBadge({ state }: { state: MaintenanceState }) {
  const { t } = useTranslation();
  return (
    <span className={styles.badge} data-state={state}>
      {t(`maintenance.state.${state}`)}
    </span>
  );
}
