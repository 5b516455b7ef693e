import { ActionIcon, SegmentedControl, Select } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { listStatusPages } from '#src/status-pages/contract.ts';
import { read } from '#web/read.ts';
import { useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { UrlDay } from '#web/ui/UrlDay.tsx';
import { useAllMonitors } from '../monitors/all/use-all-monitors.ts';
import { zoneOptions } from '../on-call/zones.ts';
import styles from './ReportTools.module.css';
import {
  dayAt,
  daysOf,
  firstDayOf,
  kindOf,
  lastDayOf,
  PERIOD_KINDS,
  type PeriodKind,
  periodOf,
  type ReportSearch,
  readReportSearch,
  shiftPeriod,
  spanOf,
} from './search.ts';
import { usePeriodWords } from './use-period-words.ts';

type Props = {
  search: ReportSearch;
  period: string;
  zone: string;
  onChoose: (search: ReportSearch) => void;
};

/** Chooses the period, the time zone, and the monitors. */
export function ReportTools({ search, period, zone, onChoose }: Props) {
  const { t } = useTranslation();
  const words = usePeriodWords();
  const today = dayAt(Date.now(), zone);
  const kind = kindOf(period) ?? 'month';
  const change = (changed: Record<string, unknown>) =>
    onChoose(readReportSearch({ ...search, period, ...changed }));
  const isLast = firstDayOf(shiftPeriod(period, 1)) > today;
  const [first, last] = daysOf(period);
  const zones = useMemo(() => zoneOptions(zone), [zone]);
  return (
    <search className={styles.tools} aria-label={t('reports.choose')}>
      <div className={styles.period}>
        <SegmentedControl
          aria-label={t('reports.kind')}
          value={kind}
          data={PERIOD_KINDS.map((value) => ({ value, label: t(`reports.kinds.${value}`) }))}
          onChange={(value) => change({ period: periodOf(value as PeriodKind, lastDayOf(period, today)) })}
        />
        <div className={styles.steps}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('reports.before')}
            onClick={() => change({ period: shiftPeriod(period, -1) })}
          >
            <IconChevronLeft size={18} aria-hidden="true" />
          </ActionIcon>
          {kind === 'days' ? (
            <>
              <UrlDay
                aria-label={t('reports.from')}
                max={last}
                day={first}
                onDay={(day) => day && change({ period: spanOf(day, day > last ? day : last) })}
              />
              <UrlDay
                aria-label={t('reports.to')}
                min={first}
                day={last}
                onDay={(day) => day && change({ period: spanOf(day < first ? day : first, day) })}
              />
            </>
          ) : (
            <span className={styles.name} aria-live="polite">
              {words(period)}
            </span>
          )}
          <ActionIcon
            variant="default"
            size={36}
            aria-label={t('reports.after')}
            disabled={isLast}
            onClick={() => change({ period: shiftPeriod(period, 1) })}
          >
            <IconChevronRight size={18} aria-hidden="true" />
          </ActionIcon>
        </div>
      </div>
      <SubjectSelect search={search} onChoose={change} />
      <Select
        className={styles.choice}
        label={t('reports.zone')}
        searchable
        allowDeselect={false}
        maxDropdownHeight={320}
        value={zone}
        data={zones}
        onChange={(value) => change({ zone: value })}
      />
    </search>
  );
}

const ALL = 'all';

/** One field for all monitors, a project, a tag or a status page. */
function SubjectSelect({
  search,
  onChoose,
}: {
  search: ReportSearch;
  onChoose: (changed: Record<string, unknown>) => void;
}) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { projects } = useChosenProject();
  const pages = useQuery(read(listStatusPages, { params: { org_id: orgId } }));
  const monitors = useAllMonitors(orgId);
  const tags = useMemo(
    () =>
      [
        ...new Set([
          ...(monitors.data ?? []).flatMap((each) => each.tags),
          ...(search.tag ? [search.tag] : []),
        ]),
      ].sort((a, b) => a.localeCompare(b)),
    [monitors.data, search.tag],
  );
  const group = (name: string, items: { value: string; label: string }[]) =>
    items.length === 0 ? [] : [{ group: name, items }];
  const data = [
    { value: ALL, label: t('reports.everything') },
    ...group(
      t('reports.projects'),
      projects.map(({ id, name }) => ({ value: `project ${id}`, label: name })),
    ),
    ...group(
      t('reports.tags'),
      tags.map((tag) => ({ value: `tag ${tag}`, label: tag })),
    ),
    ...group(
      t('reports.pages'),
      (pages.data ?? []).map(({ id, name }) => ({ value: `page ${id}`, label: name })),
    ),
  ];
  const [kind] = (['project', 'tag', 'page'] as const).filter((each) => search[each] !== undefined);
  return (
    <Select
      className={styles.choice}
      label={t('reports.subject')}
      searchable
      allowDeselect={false}
      maxDropdownHeight={360}
      value={kind === undefined ? ALL : `${kind} ${search[kind]}`}
      data={data}
      onChange={(value) => {
        const [, chosen, id] = /^(\w+) (.*)$/.exec(value ?? '') ?? [];
        onChoose({ project: null, tag: null, page: null, ...(chosen === undefined ? {} : { [chosen]: id }) });
      }}
    />
  );
}
