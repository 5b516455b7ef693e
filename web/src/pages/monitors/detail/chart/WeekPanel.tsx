import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getHoursOfWeek } from '#src/charts/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { BROWSER_ZONE } from '#web/pages/on-call/zones.ts';
import { read } from '#web/read.ts';
import { remember, remembered } from '#web/remembered.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useHourWords } from './use-hour-words.ts';
import styles from './WeekPanel.module.css';
import { daysFrom, type Hour, levelOf, placeAfter, worstOf } from './week.ts';

const WEEKS = ['4', '12', '52'] as const;
const HOUR_SECONDS = 3600;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
/** With less data, an hour of the week means nothing. */
const ENOUGH_SECONDS = 24 * HOUR_SECONDS;

/** In which hours of the week a monitor was down, in the reader's time zone. */
export function WeekPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const [weeks, setWeeks] = useState(() => WEEKS.find((each) => each === remembered('weeks')) ?? '4');
  // Changes once an hour, not at every poll.
  const to = Math.ceil((now + 1) / HOUR_SECONDS) * HOUR_SECONDS;
  const answer = useQuery({
    ...read(getHoursOfWeek, {
      params: { monitor_id: monitor.id },
      query: { from_unix: to - Number(weeks) * 168 * HOUR_SECONDS, to_unix: to, timezone: BROWSER_ZONE },
    }),
    placeholderData: keepPreviousData,
  });
  const counted = answer.data?.hours.reduce((sum, hour) => sum + hour.counted_seconds, 0) ?? 0;
  return (
    <Panel
      title={t('week.title')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('week.range')}
          value={weeks}
          onChange={(value) => {
            remember('weeks', value);
            setWeeks(value as (typeof WEEKS)[number]);
          }}
          data={WEEKS.map((value) => ({ value, label: t('week.weeks', { count: Number(value) }) }))}
        />
      }
    >
      {answer.isError ? <Failure error={answer.error} retry={answer.refetch} /> : null}
      {answer.isPending ? <LoadingRows count={1} height={240} /> : null}
      {answer.isSuccess && counted < ENOUGH_SECONDS ? (
        <p className={styles.young}>
          {t('week.young', { duration: formats.durationInWords(Math.floor(counted / 60) * 60) })}
        </p>
      ) : null}
      {answer.isSuccess && counted >= ENOUGH_SECONDS ? (
        <Week hours={answer.data.hours} zone={answer.data.timezone} />
      ) : null}
    </Panel>
  );
}

/** The first day of the week: Sunday in America, Monday in Europe, if the browser knows. */
function firstDay(language: string): number {
  const locale = new Intl.Locale(language) as Intl.Locale & { getWeekInfo?: () => { firstDay: number } };
  return locale.getWeekInfo?.().firstDay ?? 1;
}

function Week({ hours, zone }: { hours: readonly Hour[]; zone: string }) {
  const { t } = useTranslation();
  const { language } = useFormats();
  const words = useHourWords();
  const grid = useRef<HTMLTableElement>(null);
  const [place, setPlace] = useState({ row: 0, column: 0 });
  const [looked, setLooked] = useState<Hour | null>(null);
  const days = daysFrom(hours, firstDay(language));
  const onKeyDown = (event: KeyboardEvent) => {
    const next = event.ctrlKey || event.metaKey || event.altKey ? null : placeAfter(event.key, place);
    if (next === null) return;
    event.preventDefault();
    setPlace(next);
    grid.current?.rows[next.row + 1]?.cells[next.column + 1]?.focus();
  };
  const worst = worstOf(hours);
  return (
    <div className={styles.week}>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: arrow keys move through the cells of this table
        role="grid"
        className={styles.grid}
        aria-label={t('week.title')}
        onKeyDown={onKeyDown}
        onMouseLeave={() => {
          const isEntered = grid.current?.contains(document.activeElement) ?? false;
          setLooked(isEntered ? (days[place.row]?.[place.column] ?? null) : null);
        }}
      >
        <thead>
          <tr>
            <td />
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                <span className={hour % 3 === 0 ? undefined : 'visually-hidden'}>{hour}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, row) => (
            <tr key={day[0]?.weekday}>
              <th scope="row">{words.day(day[0]?.weekday ?? 1, 'short')}</th>
              {day.map((hour, column) => (
                <td
                  key={hour.hour}
                  tabIndex={place.row === row && place.column === column ? 0 : -1}
                  data-level={levelOf(hour) ?? 'none'}
                  onFocus={() => {
                    setPlace({ row, column });
                    setLooked(hour);
                  }}
                  onBlur={() => setLooked(null)}
                  // A page that scrolls under a resting pointer also sends mouse moves, without movement; those are no input.
                  onMouseMove={(event) => {
                    if (event.movementX !== 0 || event.movementY !== 0) setLooked(hour);
                  }}
                >
                  <i aria-hidden="true" />
                  <span className="visually-hidden">{words.uptime(hour)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <div className={styles.foot}>
        <p className={styles.said}>
          {looked !== null
            ? words.sentence(looked)
            : worst === null
              ? t('week.allWell')
              : t('week.worst', { hour: words.sentence(worst) })}
        </p>
        <ul className={styles.key} aria-label={t('week.key')}>
          {(['0', '1', '2', '3', '4', 'none'] as const).map((level) => (
            <li key={level}>
              <span className={styles.swatch} data-level={level} aria-hidden="true">
                <i />
              </span>
              {t(`week.levels.${level}`)}
            </li>
          ))}
        </ul>
        <p className={styles.zone}>{t('week.zone', { zone: zone.replaceAll('_', ' ') })}</p>
      </div>
    </div>
  );
}
