import { MultiSelect } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useEditedMonitor } from './edited-monitor.ts';
import { useMonitorForm } from './form-context.ts';
import { useOrganizationMonitors } from './use-organization-monitors.ts';

type Props = { path: string; label: string; hint: string; most: number };

/** Selects other monitors of the organization. Deleted ones stay listed by id until they are removed. */
export function MonitorsSelect({ path, label, hint, most }: Props) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const edited = useEditedMonitor();
  const { projects, isPending } = useOrganizationMonitors();
  const props = form.getInputProps(path);
  const chosen = props.value as string[];
  const known = new Set(projects.flatMap(({ monitors }) => monitors.map(({ id }) => id)));
  const gone = isPending ? [] : chosen.filter((id) => !known.has(id));
  const data = projects.map(({ heading, monitors }) => ({
    group: heading,
    items: monitors
      .filter(({ id }) => id !== edited?.id)
      .map((monitor) => ({ value: monitor.id, label: monitor.name })),
  }));
  return (
    <MultiSelect
      label={label}
      description={hint}
      placeholder={chosen.length === 0 ? t('fields.chooseMonitors') : ''}
      searchable
      hidePickedOptions
      clearable
      maxValues={most}
      limit={100}
      maxDropdownHeight={280}
      nothingFoundMessage={t('fields.nothingFound')}
      data={gone.length === 0 ? data : [...data, { group: t('fields.goneMonitors'), items: gone }]}
      {...props}
    />
  );
}
