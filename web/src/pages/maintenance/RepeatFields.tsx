import { Chip, Group, NativeSelect, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import stack from '#web/ui/Form.module.css';
import { RepeatDaysNote } from './RepeatDaysNote.tsx';
import {
  type Before,
  daysOf,
  FREQUENCIES,
  placeInMonth,
  placeName,
  type RepeatValues,
  WEEKDAYS,
  type Weekday,
  withDays,
} from './repeat-values.ts';
import { useWeekdayNames } from './use-repeat-words.ts';
import styles from './WindowForm.module.css';

type Props = {
  values: RepeatValues;
  /** The start of the window in Unix seconds; null while it is invalid. */
  start: number | null;
  before: Before | null;
  error: string | null | undefined;
  onChange: (values: RepeatValues) => void;
};

/** Whether the window recurs: daily, weekly on certain days, or monthly, until a day or without end. */
export function RepeatFields({ values, start, before, error, onChange }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const names = useWeekdayNames();
  const from = start ?? before?.scheduled_start ?? Date.now() / 1_000;
  const day = new Date(from * 1_000);
  const place = placeInMonth(day);
  const labels = {
    never: t('maintenance.repeat.never'),
    day: t('maintenance.repeat.day'),
    week: t('maintenance.repeat.week'),
    monthDay: t('maintenance.repeat.monthDay', { day: formats.integer(day.getDate()) }),
    monthWeekday: t('maintenance.repeat.monthWeekday', {
      place: t(`maintenance.repeat.place.${placeName(place.nth)}`),
      weekday: names.long(place.weekday),
    }),
  };
  const rrule = before?.repeat?.rrule;
  // A recurrence ends by its date or with the windows that follow: the interface has no other way.
  const offered = FREQUENCIES.filter((value) => value !== 'never' || rrule === undefined);
  const own = rrule === undefined || values.every !== 'other' ? [] : [{ value: 'other', label: rrule }];
  return (
    <div className={styles.times}>
      <div className={stack.row}>
        <NativeSelect
          label={t('maintenance.repeat.title')}
          value={values.every}
          error={error}
          onChange={(event) =>
            onChange({ ...values, every: event.currentTarget.value as RepeatValues['every'] })
          }
          data={[...offered.map((value) => ({ value, label: labels[value] })), ...own]}
        />
        {values.every === 'never' ? null : (
          <TextInput
            type="date"
            label={t('maintenance.repeat.until')}
            description={values.until === '' ? t('maintenance.repeat.endless') : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={values.until}
            onChange={(event) => onChange({ ...values, until: event.currentTarget.value })}
          />
        )}
      </div>
      {values.every === 'week' ? (
        <Chip.Group
          multiple
          value={daysOf(values, from, before)}
          onChange={(days) => onChange(withDays(values, days as Weekday[], from, before))}
        >
          <Group gap={6} role="group" aria-label={t('maintenance.repeat.days')}>
            {WEEKDAYS.map((weekday) => (
              <Chip key={weekday} value={weekday} size="sm" variant="light" aria-label={names.long(weekday)}>
                {names.short(weekday)}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      ) : null}
      <RepeatDaysNote values={values} start={from} before={before} />
      {values.every === 'never' ? null : <p className={styles.hint}>{t('maintenance.repeat.hint')}</p>}
    </div>
  );
}
