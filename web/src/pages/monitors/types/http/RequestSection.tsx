import {
  Checkbox,
  NumberInput,
  PasswordInput,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { HttpConfig } from '#src/monitors/types/http/config.ts';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import { HeaderRows } from '#web/pages/monitors/form/HeaderRows.tsx';
import own from '#web/pages/monitors/form/Section.module.css';
import { IpFamilySelect, TimeoutField } from '#web/pages/monitors/form/TimingFields.tsx';
import styles from '#web/ui/Form.module.css';
import type { HttpValues } from './values.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The request that a check sends. */
export function RequestSection() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const { method, auth, follow_redirects } = useConfigValues<HttpValues>();
  return (
    <>
      <div className={styles.row}>
        <Select
          label={t('form.method')}
          data={METHODS}
          allowDeselect={false}
          {...form.getInputProps('config.method')}
        />
        <TimeoutField schema={HttpConfig} />
        <IpFamilySelect />
      </div>
      <HeaderRows />
      {method === 'GET' || method === 'HEAD' ? null : (
        <Textarea
          label={t('form.body')}
          autosize
          minRows={3}
          maxRows={14}
          spellCheck={false}
          classNames={{ input: own.mono }}
          {...form.getInputProps('config.body')}
        />
      )}
      <div className={own.group}>
        <span className={own.label} id="auth-kind">
          {t('form.auth')}
        </span>
        <SegmentedControl
          className={own.fit}
          aria-labelledby="auth-kind"
          data={(['none', 'basic', 'bearer'] as const).map((kind) => ({
            value: kind,
            label: t(`form.authKind.${kind}`),
          }))}
          {...form.getInputProps('config.auth.kind')}
        />
        {auth.kind === 'basic' ? (
          <div className={styles.row}>
            <TextInput
              label={t('form.username')}
              autoComplete="off"
              {...form.getInputProps('config.auth.username')}
            />
            <PasswordInput
              label={t('form.password')}
              autoComplete="off"
              {...form.getInputProps('config.auth.password')}
            />
          </div>
        ) : null}
        {auth.kind === 'bearer' ? (
          <PasswordInput
            label={t('form.token')}
            autoComplete="off"
            {...form.getInputProps('config.auth.token')}
          />
        ) : null}
      </div>
      <div className={styles.row}>
        <Checkbox
          label={t('form.followRedirects')}
          {...form.getInputProps('config.follow_redirects', { type: 'checkbox' })}
        />
        <Checkbox
          label={t('form.cacheBust')}
          description={t('form.cacheBustHint')}
          {...form.getInputProps('config.cache_bust', { type: 'checkbox' })}
        />
      </div>
      <Checkbox
        label={t('form.keepResponse')}
        description={t('form.keepResponseHint')}
        {...form.getInputProps('config.keep_response', { type: 'checkbox' })}
      />
      {follow_redirects ? (
        <NumberInput
          className={own.short}
          label={t('form.maxRedirects')}
          min={0}
          max={10}
          {...form.getInputProps('config.max_redirects')}
        />
      ) : null}
    </>
  );
}
