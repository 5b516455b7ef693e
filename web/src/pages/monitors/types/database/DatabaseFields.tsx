import { Checkbox, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { Choice } from '#web/pages/monitors/form/Choice.tsx';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HostAndPort } from '#web/pages/monitors/form/HostField.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { TimingFields } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import type { TypeFields } from '../type-form.ts';
import { type DatabaseValues, usualDatabasePort } from './form.ts';

function Open() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const values = useConfigValues<DatabaseValues>();
  const isRedis = values.engine === 'redis';
  return (
    <>
      <Choice
        label={t('fields.database.engine')}
        path="config.engine"
        data={[
          { value: 'postgres', label: 'PostgreSQL' },
          { value: 'mysql', label: 'MySQL / MariaDB' },
          { value: 'redis', label: 'Redis' },
        ]}
      />
      <HostAndPort placeholder="db.example.com" usual={usualDatabasePort(values)} />
      <div className={styles.row}>
        <TextInput
          label={t('form.username')}
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('config.username')}
        />
        <PasswordInput
          label={t('form.password')}
          autoComplete="off"
          {...form.getInputProps('config.password')}
        />
        <TextInput
          label={t(isRedis ? 'fields.database.number' : 'fields.database.name')}
          placeholder={isRedis ? '0' : ''}
          inputMode={isRedis ? 'numeric' : 'text'}
          spellCheck={false}
          {...form.getInputProps('config.database')}
        />
      </div>
      <Checkbox
        label={t('fields.database.tls')}
        {...form.getInputProps('config.tls', { type: 'checkbox' })}
      />
    </>
  );
}

function Query() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <Textarea
      label={t('fields.database.query')}
      description={t('fields.database.queryHint')}
      placeholder={form.values.config.engine === 'redis' ? 'EXISTS health' : 'SELECT 1 FROM orders LIMIT 1'}
      autosize
      minRows={2}
      maxRows={10}
      spellCheck={false}
      classNames={{ input: own.mono }}
      {...form.getInputProps('config.query')}
    />
  );
}

export const fields: TypeFields = {
  Open,
  sections: { query: Query, timing: () => <TimingFields schema={DatabaseConfig} /> },
};
