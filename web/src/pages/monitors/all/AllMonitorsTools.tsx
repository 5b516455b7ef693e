import { SegmentedControl, Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { MONITOR_STATES, type MonitorState } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import { useChosenProject } from '#web/shell/chosen-project.ts';
import { useUrlText } from '#web/ui/use-url-text.ts';
import { isMonitorType } from '../monitor-types.ts';
import styles from './AllMonitorsTools.module.css';
import { type AllSearch, GROUPINGS, type Line, readAllSearch, unknownProject } from './search.ts';

type Props = {
  search: AllSearch;
  lines: readonly Line[];
  /** The monitors that pass every filter but the status. */
  passing: readonly Line[];
  shown: number;
  onChoose: (search: AllSearch) => void;
};

const ALL = 'all';
const TROUBLE = 'trouble';

/** Filters of the list: text, project, type, tag and status; and its grouping. */
export function AllMonitorsTools({ search, lines, passing, shown, onChoose }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { projects } = useChosenProject();
  const change = (changed: Record<string, unknown>) => onChoose(readAllSearch({ ...search, ...changed }));
  const [typed, type] = useUrlText(search.text ?? '', (text) => change({ text }));
  // A filter of the address that no monitor has is shown as well: it is why the list is empty.
  const unknown = unknownProject(search, projects);
  const types = distinct([...lines.map(({ monitor }) => monitor.type), search.type]);
  const tags = distinct([...lines.flatMap(({ monitor }) => monitor.tags), search.tag]);
  const counts = new Map<MonitorState, number>();
  for (const { state } of passing) counts.set(state, (counts.get(state) ?? 0) + 1);
  const states = MONITOR_STATES.filter((state) => counts.has(state) || state === search.state);
  return (
    <search className={styles.tools}>
      <TextInput
        className={styles.text}
        type="search"
        aria-label={t('allMonitors.search')}
        placeholder={t('allMonitors.searchShort')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      {projects.length < 2 && search.project === undefined ? null : (
        <Select
          className={styles.choice}
          aria-label={t('allMonitors.project')}
          placeholder={t('allMonitors.anyProject')}
          clearable
          searchable
          value={search.project ?? null}
          data={[
            ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ...(unknown === undefined ? [] : [{ value: unknown, label: t('allMonitors.unknownProject') }]),
          ]}
          onChange={(value) => change({ project: value })}
        />
      )}
      {types.length < 2 && search.type === undefined ? null : (
        <Select
          className={styles.choice}
          aria-label={t('allMonitors.type')}
          placeholder={t('allMonitors.anyType')}
          clearable
          value={search.type ?? null}
          data={types.map((type) => ({
            value: type,
            label: isMonitorType(type) ? t(`types.${type}.name`) : type,
          }))}
          onChange={(value) => change({ type: value })}
        />
      )}
      {tags.length === 0 && search.tag === undefined ? null : (
        <Select
          className={styles.choice}
          aria-label={t('allMonitors.tag')}
          placeholder={t('allMonitors.anyTag')}
          clearable
          searchable
          value={search.tag ?? null}
          data={tags}
          onChange={(value) => change({ tag: value })}
        />
      )}
      <Select
        className={styles.choice}
        aria-label={t('allMonitors.group')}
        placeholder={t('allMonitors.noGroups')}
        clearable
        value={search.group ?? null}
        data={GROUPINGS.map((value) => ({ value, label: t(`allMonitors.groups.${value}`) }))}
        onChange={(value) => change({ group: value })}
      />
      <Select
        className={styles.choice}
        aria-label={t('allMonitors.sort')}
        allowDeselect={false}
        value={search.sort ?? TROUBLE}
        data={[
          { value: TROUBLE, label: t('allMonitors.sorts.trouble') },
          { value: 'name', label: t('allMonitors.sorts.name') },
        ]}
        onChange={(value) => change({ sort: value })}
      />
      <div className={styles.states}>
        <SegmentedControl
          aria-label={t('monitors.filter')}
          value={search.state ?? ALL}
          onChange={(value) => change({ state: value })}
          data={[
            { value: ALL, label: `${t('monitors.all')} ${formats.integer(passing.length)}` },
            ...states.map((state) => ({
              value: state as string,
              label: `${t(`status.${state}`)} ${formats.integer(counts.get(state) ?? 0)}`,
            })),
          ]}
        />
      </div>
      <p className="visually-hidden" aria-live="polite">
        {t('allMonitors.shown', { shown, count: lines.length })}
      </p>
    </search>
  );
}

const distinct = (words: readonly (string | undefined)[]): string[] =>
  [...new Set(words.filter((word) => word !== undefined))].sort((a, b) => a.localeCompare(b));
