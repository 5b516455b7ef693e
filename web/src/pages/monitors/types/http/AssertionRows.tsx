import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useConfigValues, useMonitorForm } from '#web/pages/monitors/form/form-context.ts';
import styles from '#web/pages/monitors/form/Section.module.css';
import { type HttpValues, OPERATORS } from './values.ts';

type Props = { of: 'json_assertions' | 'header_assertions'; subject: 'path' | 'name' };

/** Assertions about the JSON body or the headers: subject, operator, value. */
export function AssertionRows({ of, subject }: Props) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const list = `config.${of}`;
  const lines = useConfigValues<HttpValues>()[of];
  return (
    <fieldset className={`${styles.group} ${styles.bare}`}>
      <legend className={styles.label}>{t(`form.${of}.label`)}</legend>
      <span className={styles.hint}>{t(`form.${of}.hint`)}</span>
      {lines.map(({ op }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index
        <div key={at} className={styles.line}>
          <TextInput
            aria-label={t(`form.${of}.subject`, { at: at + 1 })}
            placeholder={subject === 'path' ? '$.status.healthy' : 'content-type'}
            spellCheck={false}
            {...form.getInputProps(`${list}.${at}.${subject}`)}
          />
          <div>
            <Select
              aria-label={t(`form.${of}.operator`, { at: at + 1 })}
              allowDeselect={false}
              data={OPERATORS.map((operator) => ({
                value: operator,
                label: t(`form.operators.${operator}`),
              }))}
              {...form.getInputProps(`${list}.${at}.op`)}
            />
          </div>
          {op === 'exists' ? (
            <span />
          ) : (
            <TextInput
              aria-label={t(`form.${of}.value`, { at: at + 1 })}
              placeholder={t('form.value')}
              spellCheck={false}
              {...form.getInputProps(`${list}.${at}.value`)}
            />
          )}
          <ActionIcon
            className={styles.remove}
            aria-label={t('form.removeLine', { at: at + 1 })}
            onClick={() =>
              form.setFieldValue(
                list,
                lines.filter((_line, n) => n !== at),
              )
            }
          >
            <IconX size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        className={styles.fit}
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} />}
        onClick={() => form.setFieldValue(list, [...lines, { [subject]: '', op: 'eq', value: '' }])}
      >
        {t(`form.${of}.add`)}
      </Button>
    </fieldset>
  );
}
