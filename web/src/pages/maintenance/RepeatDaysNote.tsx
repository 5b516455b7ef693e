import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { zoneName } from '#web/pages/on-call/zones.ts';
import {
  type Before,
  dayOfStart,
  daysOf,
  firstOn,
  type RepeatValues,
  saidOfDays,
  zoneOfDays,
} from './repeat-values.ts';
import { useWeekdayNames } from './use-repeat-words.ts';
import styles from './WindowForm.module.css';

type Props = { values: RepeatValues; start: number; before: Before | null };

/** Whether the days of a weekly window moved with its start, or stay because somebody chose them. */
export function RepeatDaysNote({ values, start, before }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useWeekdayNames();
  const said = saidOfDays(values, start, before);
  const zone = values.every === 'week' ? zoneOfDays(before) : undefined;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const day = names.long(dayOfStart(start, before));
  const first = formats.dayInZone(firstOn(daysOf(values, start, before), start), own);
  return (
    <div className={styles.days} aria-live="polite">
      {said === null ? null : (
        <p className={said === 'wrong' ? styles.wrong : undefined}>
          {t(`maintenance.repeat.chosenDays.${said}`, { day, first })}
        </p>
      )}
      {zone === undefined || zone === own ? null : (
        <p>{t('maintenance.repeat.daysZone', { zone: zoneName(zone) })}</p>
      )}
    </div>
  );
}
