import { MultiSelect, Select } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { INCIDENT_SEVERITIES } from '#src/domain/names.ts';
import { useChosenProject } from '#web/shell/chosen-project.ts';
import { TagChoice } from '../monitors/all/TagChoice.tsx';
import { CollapsibleSection } from '../monitors/form/CollapsibleSection.tsx';
import { isForEverything, useRoutingWords } from './routing-words.ts';
import own from './TargetForm.module.css';
import type { TargetValues } from './target-values.ts';

/** The incidents that a target receives: collapsed while it receives all. */
export function RoutingFields({ form }: { form: UseFormReturnType<TargetValues> }) {
  const { t } = useTranslation();
  const { projects } = useChosenProject();
  const words = useRoutingWords();
  const { values } = form;
  const [opened, setOpened] = useState(!isForEverything(values));
  const known = projects.map(({ id, name }) => ({ value: id, label: name }));
  // Selected values stay visible and removable, even if the project was deleted.
  const gone = values.project_ids.filter((id) => !projects.some((project) => project.id === id));
  return (
    <CollapsibleSection
      title={t('targets.routing.title')}
      summary={words(values)}
      opened={opened}
      onToggle={() => setOpened(!opened)}
    >
      <Select
        label={t('incidents.severityLabel')}
        allowDeselect={false}
        data={INCIDENT_SEVERITIES.toReversed().map((value) => ({
          value,
          label: t(`targets.routing.choices.${value}`),
        }))}
        {...form.getInputProps('min_severity')}
      />
      <MultiSelect
        label={t('targets.routing.projects')}
        placeholder={values.project_ids.length === 0 ? t('targets.routing.allProjects') : undefined}
        data={[...known, ...gone.map((value) => ({ value, label: t('targets.routing.goneChoice') }))]}
        searchable
        hidePickedOptions
        {...form.getInputProps('project_ids')}
      />
      <TagChoice
        label={t('targets.routing.tags')}
        description={t('targets.routing.tagsHint')}
        tags={values.tags}
        named={[]}
        projectIds={values.project_ids}
        error={form.errors.tags}
        onChange={(tags) => form.setFieldValue('tags', tags)}
      />
      <p className={own.hint}>{t('targets.routing.hint')}</p>
    </CollapsibleSection>
  );
}
