import { NumberInput, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { MonitorsSelect } from '#web/pages/monitors/form/MonitorsSelect.tsx';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import type { GroupValues } from './form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { rule, members } = useConfigValues<GroupValues>();
  return (
    <>
      <MonitorsSelect
        path="config.members"
        label={t('fields.group.members')}
        hint={t('fields.group.membersHint')}
        most={200}
      />
      <div className={styles.row}>
        <Select
          label={t('fields.group.rule')}
          allowDeselect={false}
          data={(['any_failed', 'all_failed', 'count'] as const).map((value) => ({
            value,
            label: t(`fields.group.rules.${value}`),
          }))}
          {...form.getInputProps('config.rule')}
        />
        {rule === 'count' ? (
          <NumberInput
            label={t('fields.group.value')}
            min={1}
            max={Math.max(1, members.length)}
            allowDecimal={false}
            {...form.getInputProps('config.value')}
          />
        ) : null}
      </div>
    </>
  );
}

export const fields: TypeFields = { Open, sections: {} };
