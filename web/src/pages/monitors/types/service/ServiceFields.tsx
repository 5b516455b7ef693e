import { NumberInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import own from '#web/pages/monitors/form/Section.module.css';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <>
      <TextInput
        label={t('fields.service.name')}
        placeholder="nginx"
        spellCheck={false}
        classNames={{ input: own.mono }}
        {...form.getInputProps('config.service')}
      />
      <div className={own.choices}>
        <Choice
          label={t('fields.service.kind')}
          path="config.kind"
          data={[
            { value: 'process', label: t('fields.service.process') },
            { value: 'systemd', label: 'systemd' },
            { value: 'docker', label: 'Docker' },
          ]}
        />
        <Choice
          label={t('fields.service.expect')}
          path="config.expect"
          data={[
            { value: 'running', label: t('fields.service.running') },
            { value: 'stopped', label: t('fields.service.stopped') },
          ]}
        />
      </div>
      <div className={styles.row}>
        <NumberInput
          label={t('fields.service.maxCpu')}
          suffix=" %"
          min={0}
          placeholder={t('form.never')}
          {...form.getInputProps('config.max_cpu_pct')}
        />
        <NumberInput
          label={t('fields.service.maxMem')}
          suffix=" MB"
          min={0}
          placeholder={t('form.never')}
          {...form.getInputProps('config.max_mem_mb')}
        />
      </div>
    </>
  );
}

export const fields: TypeFields = { Open, folds: {} };
