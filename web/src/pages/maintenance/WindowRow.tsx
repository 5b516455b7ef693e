import { IconEyeOff, IconRepeat } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { useFormats } from '#web/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import { useRepeatWords } from './use-repeat-words.ts';
import styles from './WindowRow.module.css';
import { StateBadge, WindowTimes } from './WindowTimes.tsx';
import { stateOf } from './window-state.ts';

/** `others`: how many more occurrences are planned. */
type Props = { orgId: string; window: MaintenanceWindow; others?: number };

/** One window in a list; the whole row links to it. */
export function WindowRow({ orgId, window, others = 0 }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const words = useRepeatWords();
  const state = stateOf(window, now);
  const { monitors } = window;
  const names = formats.list(monitors.slice(0, 3).map(({ name }) => name));
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <Link
          className={styles.name}
          to="/o/$orgId/maintenance/$windowId"
          params={{ orgId, windowId: window.id }}
        >
          {window.title}
        </Link>
        <span className={styles.monitors}>
          {monitors.length === 0 && window.tags.length === 0
            ? t('maintenance.announcementOnly')
            : monitors.length > 3
              ? t('maintenance.monitorCount', { count: monitors.length })
              : names}
        </span>
      </span>
      <span className={styles.when}>
        <WindowTimes window={window} />
        <span className={styles.quiet}>
          {state === 'upcoming'
            ? formats.until(window.scheduled_start - now)
            : state === 'active'
              ? t('maintenance.endsIn', { time: formats.until(window.scheduled_end - now) })
              : formats.durationInWords(window.scheduled_end - window.scheduled_start)}
          {others === 0 ? null : ` · ${t('maintenance.repeat.others', { count: others })}`}
        </span>
      </span>
      <span className={styles.marks}>
        {window.repeat === null ? null : (
          <span className={styles.repeats} title={words(window.repeat)}>
            <IconRepeat size={16} stroke={1.7} role="img" aria-label={words(window.repeat)} />
          </span>
        )}
        {window.public_visible ? null : (
          <IconEyeOff size={16} stroke={1.7} role="img" aria-label={t('maintenance.internal')} />
        )}
        <StateBadge state={state} />
      </span>
    </li>
  );
}
