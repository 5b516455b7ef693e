import { ActionIcon, Button, CloseButton, Popover, SegmentedControl, TextInput } from '@mantine/core';
import {
  IconCalendar,
  IconChevronLeft,
  IconChevronRight,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SERIES_RANGES, type SeriesRange } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import { fromLocalInput, toLocalInput } from '#web/pages/incidents/actions/local-time.ts';
import { useNow } from '#web/ui/use-now.ts';
import styles from './RangeTools.module.css';
import { LONGEST_SECONDS, moved, type Span, within, zoomed } from './span.ts';
import type { ChartView } from './use-chart-search.ts';

/** The ranges that end now, as on other pages. */
export function NamedRanges({ view }: { view: ChartView }) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('monitor.range')}
      value={view.free === null ? view.range : ''}
      onChange={(value) => view.chooseRange(value as SeriesRange)}
      data={SERIES_RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
    />
  );
}

/** Moves and zooms the chart, and selects any range. */
export function RangeTools({ view }: { view: ChartView }) {
  const { t } = useTranslation();
  const now = useNow();
  const asked = view.asked(now);
  const middle = (asked.from + asked.to) / 2;
  const step = (
    name: 'back' | 'on' | 'zoomIn' | 'zoomOut',
    span: Span,
    icon: React.ReactNode,
    off = false,
  ) => (
    <ActionIcon
      variant="default"
      size={30}
      disabled={off}
      aria-label={t(`chart.${name}`)}
      title={t(`chart.${name}`)}
      onClick={() => view.chooseSpan(span)}
    >
      {icon}
    </ActionIcon>
  );
  return (
    <div className={styles.tools}>
      {view.free === null ? null : <Chosen view={view} span={view.free} />}
      <FreeRange asked={asked} now={now} onChoose={view.chooseSpan} />
      <div className={styles.steps}>
        {step('back', moved(asked, -0.5, now), <IconChevronLeft size={16} />)}
        {step('on', moved(asked, 0.5, now), <IconChevronRight size={16} />, asked.to >= now - 1)}
        {step('zoomOut', zoomed(asked, 2, middle, now), <IconZoomOut size={16} />)}
        {step('zoomIn', zoomed(asked, 0.5, middle, now), <IconZoomIn size={16} />)}
      </div>
    </div>
  );
}

function Chosen({ view, span }: { view: ChartView; span: Span }) {
  const { t } = useTranslation();
  const { language } = useFormats();
  const isSmall = span.to - span.from < 600;
  const words = new Intl.DateTimeFormat(language, {
    ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...(isSmall ? { second: '2-digit' } : {}),
    ...(new Date(span.from * 1000).getFullYear() === new Date().getFullYear() ? {} : { year: 'numeric' }),
  } as Intl.DateTimeFormatOptions).formatRange(span.from * 1000, span.to * 1000);
  const back = t('chart.backTo', { range: t(`ranges.${view.range}`) });
  return (
    <span className={styles.chosen}>
      {words}
      <CloseButton size={20} aria-label={back} title={back} onClick={() => view.chooseRange(view.range)} />
    </span>
  );
}

type FreeProps = { asked: Span; now: number; onChoose: (span: Span) => void };

function FreeRange({ asked, now, onChoose }: FreeProps) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [fields, setFields] = useState({ from: '', to: '' });
  const [shown, setShown] = useState(asked);
  const [from, to] = [fromLocalInput(fields.from, shown.from), fromLocalInput(fields.to, shown.to)];
  const problem =
    from === null || to === null
      ? null
      : from >= to
        ? t('chart.endsBefore')
        : from >= now
          ? t('chart.notBegun')
          : to - from > LONGEST_SECONDS
            ? t('chart.tooLong')
            : null;
  const open = (wanted: boolean) => {
    if (wanted) {
      setShown(asked);
      setFields({ from: toLocalInput(asked.from), to: toLocalInput(asked.to) });
    }
    setIsOpen(wanted);
  };
  const choose = (event: FormEvent) => {
    event.preventDefault();
    if (from === null || to === null || problem !== null) return;
    onChoose(within({ from, to: Math.min(to, now) }, now));
    setIsOpen(false);
  };
  const field = (name: 'from' | 'to') => (
    <TextInput
      type="datetime-local"
      label={t(`chart.${name}`)}
      value={fields[name]}
      required
      withAsterisk={false}
      error={name === 'to' ? problem : null}
      onChange={(event) => setFields({ ...fields, [name]: event.currentTarget.value })}
    />
  );
  return (
    <Popover opened={isOpen} onChange={open} position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          className={styles.any}
          size="compact-sm"
          variant="default"
          leftSection={<IconCalendar size={15} />}
          onClick={() => open(!isOpen)}
        >
          {t('chart.anyRange')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form className={styles.form} onSubmit={choose} noValidate>
          {field('from')}
          {field('to')}
          <Button type="submit" size="sm" disabled={from === null || to === null || problem !== null}>
            {t('chart.show')}
          </Button>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
