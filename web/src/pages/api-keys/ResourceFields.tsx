import { MultiSelect, SegmentedControl } from '@mantine/core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useOrgId } from '#web/shell/chosen-project.ts';
import stack from '#web/ui/Form.module.css';
import type { KeyFormState } from './key-values.ts';
import { useNarrowable } from './narrowable.ts';
import styles from './ResourceFields.module.css';

/** The whole organization, or selected projects and monitors. */
export function ResourceFields({ form }: { form: KeyFormState }) {
  const { t } = useTranslation();
  return (
    <div className={stack.stack}>
      <SegmentedControl
        className={styles.choice}
        aria-label={t('keys.reach')}
        data={[
          { value: 'whole', label: t('keys.reachWhole') },
          { value: 'chosen', label: t('keys.reachChosen') },
        ]}
        {...form.getInputProps('reach')}
      />
      {form.values.reach === 'chosen' ? <Chosen form={form} /> : null}
    </div>
  );
}

function Chosen({ form }: { form: KeyFormState }) {
  const { t } = useTranslation();
  const { projects, monitors } = useNarrowable(useOrgId());
  const grouped = useMemo(() => {
    const groups = new Map<string, { value: string; label: string }[]>();
    for (const { id, name, projectName } of monitors) {
      const items = groups.get(projectName) ?? [];
      items.push({ value: id, label: name });
      groups.set(projectName, items);
    }
    return [...groups].map(([group, items]) => ({ group, items }));
  }, [monitors]);
  const searching = {
    searchable: true,
    limit: 200,
    maxDropdownHeight: 260,
    nothingFoundMessage: t('keys.nothingFound'),
    hidePickedOptions: true,
  };
  return (
    <>
      <p className={styles.lead}>{t('keys.reachLead')}</p>
      <MultiSelect
        label={t('keys.projects')}
        description={t('keys.projectsHint')}
        placeholder={form.values.projects.length === 0 ? t('keys.search') : undefined}
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        {...searching}
        {...form.getInputProps('projects')}
      />
      <MultiSelect
        label={t('keys.monitors')}
        placeholder={form.values.monitors.length === 0 ? t('keys.search') : undefined}
        data={grouped}
        {...searching}
        {...form.getInputProps('monitors')}
      />
    </>
  );
}
