import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { useFormats } from '#web/format.ts';
import { useNow } from '#web/ui/use-now.ts';
import styles from './ActivityDays.module.css';
import { ActivityRow } from './ActivityRow.tsx';
import type { ActivitySearch } from './search.ts';

type Props = { entries: ActivityEntry[]; onFilter: (filter: ActivitySearch) => void };

const dayOf = (unix: number) => new Date(unix * 1_000).toDateString();

/** Entries grouped by day, newest first. */
export function ActivityDays({ entries, onFilter }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const days = useMemo(() => Map.groupBy(entries, (entry) => dayOf(entry.at_unix)), [entries]);
  const name = (day: string, unix: number) => {
    if (day === dayOf(now)) return t('activity.today');
    const yesterday = new Date(now * 1_000);
    yesterday.setDate(yesterday.getDate() - 1);
    return day === yesterday.toDateString() ? t('activity.yesterday') : formats.date(unix);
  };
  return (
    <div className={styles.days}>
      {[...days].map(([day, some]) => (
        <section key={day}>
          <h2 className={styles.day}>{name(day, some[0]?.at_unix ?? 0)}</h2>
          <ul className={styles.list} aria-label={t('activity.list')}>
            {some.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} onFilter={onFilter} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
