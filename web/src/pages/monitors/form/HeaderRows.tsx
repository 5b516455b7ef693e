import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMonitorForm } from './form-context.ts';
import styles from './Section.module.css';

/** Request headers, one line each; a secret one is sealed and never shown again. */
export function HeaderRows() {
  const { t } = useTranslation();
  const form = useMonitorForm();
  return (
    <fieldset className={`${styles.group} ${styles.bare}`}>
      <legend className={styles.label}>{t('form.headers')}</legend>
      {form.values.config.headers.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <div key={at} className={`${styles.line} ${styles.header}`}>
          <TextInput
            aria-label={t('form.headerName', { at: at + 1 })}
            placeholder="X-Header"
            spellCheck={false}
            {...form.getInputProps(`config.headers.${at}.name`)}
          />
          <TextInput
            aria-label={t('form.headerValue', { at: at + 1 })}
            placeholder={t('form.value')}
            spellCheck={false}
            {...form.getInputProps(`config.headers.${at}.value`)}
          />
          <Checkbox
            className={styles.check}
            label={t('form.secret')}
            {...form.getInputProps(`config.headers.${at}.secret`, { type: 'checkbox' })}
          />
          <ActionIcon
            className={styles.remove}
            aria-label={t('form.removeLine', { at: at + 1 })}
            onClick={() => form.removeListItem('config.headers', at)}
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
        onClick={() => form.insertListItem('config.headers', { name: '', value: '', secret: false })}
      >
        {t('form.addHeader')}
      </Button>
    </fieldset>
  );
}
