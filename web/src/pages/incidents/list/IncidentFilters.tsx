import { Select, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { INCIDENT_SEVERITIES } from '#src/domain/names.ts';
import { useUrlText } from '#web/ui/use-url-text.ts';
import styles from './IncidentFilters.module.css';
import { type IncidentSearch, isFiltered, readIncidentSearch, STATES_OF } from './search.ts';

type Props = {
  search: IncidentSearch;
  shown: number;
  loaded: number;
  onChoose: (search: IncidentSearch) => void;
};

/** Filters the loaded incidents by name, severity and status. */
export function IncidentFilters({ search, shown, loaded, onChoose }: Props) {
  const { t } = useTranslation();
  const change = (changed: Record<string, unknown>) =>
    onChoose(readIncidentSearch({ ...search, ...changed }));
  const [typed, type] = useUrlText(search.text ?? '', (text) => change({ text }));
  return (
    <search className={styles.filters}>
      <TextInput
        className={styles.text}
        type="search"
        aria-label={t('incidents.search')}
        placeholder={t('incidents.search')}
        leftSection={<IconSearch size={16} aria-hidden="true" />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <Select
        className={styles.choice}
        aria-label={t('incidents.severityLabel')}
        placeholder={t('incidents.anySeverity')}
        clearable
        value={search.severity ?? null}
        data={INCIDENT_SEVERITIES.map((value) => ({ value, label: t(`incidents.severity.${value}`) }))}
        onChange={(value) => change({ severity: value })}
      />
      <Select
        className={styles.choice}
        aria-label={t('incidents.stateLabel')}
        placeholder={t('incidents.anyState')}
        clearable
        value={search.state ?? null}
        data={STATES_OF[search.status ?? 'open'].map((value) => ({
          value,
          label: t(`incidents.state.${value}`),
        }))}
        onChange={(value) => change({ state: value })}
      />
      <p className={styles.count} aria-live="polite">
        {isFiltered(search) ? t('incidents.loaded', { shown, count: loaded }) : ''}
      </p>
    </search>
  );
}
