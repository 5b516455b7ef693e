import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMonitorForm } from './form-context.ts';
import type { HeaderLine } from './header-lines.ts';
import styles from './Section.module.css';

type Props = { at?: string; label?: string; add?: string; placeholder?: string };

/** Request headers, one per row; a secret one is encrypted and never shown again. `at` is the list in the config. */
export function HeaderRows({ at: list = 'headers', label, add, placeholder = 'X-Header' }: Props) {
  const { t } = useTranslation();
  const form = useMonitorForm();
  const path = `config.${list}`;
  const lines = form.values.config[list] as HeaderLine[];
  const set = (next: HeaderLine[]) => form.setFieldValue(path, next);
  return (
    <fieldset className={`${styles.group} ${styles.bare}`}>
      <legend className={styles.label}>{label ?? t('form.headers')}</legend>
      {lines.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index
        <div key={at} className={`${styles.line} ${styles.header}`}>
          <TextInput
            aria-label={t('form.headerName', { at: at + 1 })}
            placeholder={placeholder}
            spellCheck={false}
            {...form.getInputProps(`${path}.${at}.name`)}
          />
          <TextInput
            aria-label={t('form.headerValue', { at: at + 1 })}
            placeholder={t('form.value')}
            spellCheck={false}
            {...form.getInputProps(`${path}.${at}.value`)}
          />
          <Checkbox
            className={styles.check}
            label={t('form.secret')}
            {...form.getInputProps(`${path}.${at}.secret`, { type: 'checkbox' })}
          />
          <ActionIcon
            className={styles.remove}
            aria-label={t('form.removeLine', { at: at + 1 })}
            onClick={() => set(lines.filter((_line, n) => n !== at))}
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
        onClick={() => set([...lines, { name: '', value: '', secret: false }])}
      >
        {add ?? t('form.addHeader')}
      </Button>
    </fieldset>
  );
}
