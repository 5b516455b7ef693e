import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import { useFormats } from '#web/format.ts';
import { BROWSER_ZONE, zoneName } from '#web/pages/on-call/zones.ts';
import { useNow } from '#web/ui/use-now.ts';
import {
  type Bar,
  firstDayOfWeek,
  inMonth,
  layOutWeek,
  type Month,
  monthOf,
  stepMonth,
  weeksOf,
} from './calendar.ts';
import styles from './MonthCalendar.module.css';
import { WindowRow } from './WindowRow.tsx';
import { stateOf } from './window-state.ts';

type Props = {
  orgId: string;
  month: Month;
  windows: readonly MaintenanceWindow[];
  onMonth: (month: Month) => void;
};

/** A month of windows as bars over days; where seven columns do not fit, a list by day. */
export function MonthCalendar({ orgId, month, windows, onMonth }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = new Date(useNow() * 1_000);
  const shown = useMemo(() => windows.filter((window) => !window.cancelled), [windows]);
  const weeks = useMemo(
    () => weeksOf(month, firstDayOfWeek(formats.language)).map((days) => layOutWeek(days, shown)),
    [month, shown, formats.language],
  );
  const own = inMonth(month, shown);
  const name = new Intl.DateTimeFormat(formats.language, { month: 'long', year: 'numeric' }).format(
    new Date(month.year, month.month - 1, 1),
  );
  const weekday = new Intl.DateTimeFormat(formats.language, { weekday: 'short' });
  const isShown = (day: Date) => day.getMonth() === month.month - 1;
  return (
    <section className={styles.calendar} aria-label={t('maintenance.calendar')}>
      <div className={styles.head}>
        <h2 className={styles.name} aria-live="polite">
          {name}
        </h2>
        <Button variant="default" size="xs" onClick={() => onMonth(monthOf(now))}>
          {t('maintenance.today')}
        </Button>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('maintenance.previous')}
          onClick={() => onMonth(stepMonth(month, -1))}
        >
          <IconChevronLeft size={17} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('maintenance.next')}
          onClick={() => onMonth(stepMonth(month, 1))}
        >
          <IconChevronRight size={17} />
        </ActionIcon>
      </div>
      <div className={styles.grid}>
        <div className={styles.weekdays} aria-hidden="true">
          {weeks[0]?.days.map((day) => (
            <span key={day.getTime()}>{weekday.format(day)}</span>
          ))}
        </div>
        {weeks.map(({ days, bars, tracks }) => (
          <div
            key={days[0]?.getTime()}
            className={styles.week}
            style={{ gridTemplateRows: `26px repeat(${Math.max(2, tracks)}, 24px) minmax(6px, 1fr)` }}
          >
            {days.map((day, column) => (
              <div
                key={day.getTime()}
                className={styles.day}
                style={{ gridColumn: column + 1 }}
                data-outside={!isShown(day) || undefined}
                data-today={day.toDateString() === now.toDateString() || undefined}
              >
                <span className={styles.number}>{day.getDate()}</span>
              </div>
            ))}
            {bars.map((bar) => (
              <CalendarBar key={bar.window.id} orgId={orgId} bar={bar} />
            ))}
          </div>
        ))}
      </div>
      <div className={styles.agenda}>
        {own.length === 0 ? (
          <p className={styles.none}>{t('maintenance.noneInMonth')}</p>
        ) : (
          <ul>
            {own.map((window) => (
              <WindowRow key={window.id} orgId={orgId} window={window} />
            ))}
          </ul>
        )}
      </div>
      <p className={styles.zone}>{t('maintenance.zone', { zone: zoneName(BROWSER_ZONE) })}</p>
    </section>
  );
}

function CalendarBar({ orgId, bar }: { orgId: string; bar: Bar }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const { window, column, span, track, begins, ends } = bar;
  const state = stateOf(window, now);
  const hour = new Intl.DateTimeFormat(formats.language, {
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
  });
  const times = `${formats.moment(window.scheduled_start)} – ${formats.moment(window.scheduled_end)}`;
  return (
    <Link
      to="/o/$orgId/maintenance/$windowId"
      params={{ orgId, windowId: window.id }}
      className={styles.bar}
      style={{ gridColumn: `${column + 1} / span ${span}`, gridRow: track + 2 }}
      data-state={state}
      data-begins={begins || undefined}
      data-ends={ends || undefined}
      title={`${window.title}\n${times}`}
      aria-label={`${window.title}, ${times}, ${t(`maintenance.state.${state}`)}`}
    >
      {begins ? <span className={styles.hour}>{hour.format(window.scheduled_start * 1_000)}</span> : null}
      <span className={styles.title}>{window.title}</span>
    </Link>
  );
}
