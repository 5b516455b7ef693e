import { Button, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './CopyField.module.css';

/** A value to copy: selected on focus, with a button that copies it and says so. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_500 });
  return (
    <div className={styles.field}>
      <TextInput
        className={styles.value}
        classNames={{ input: styles.input }}
        aria-label={label}
        value={value}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        onClick={() => clipboard.copy(value)}
      >
        {clipboard.copied ? t('ui.copied') : t('ui.copy')}
      </Button>
      <span className="visually-hidden" aria-live="polite">
        {clipboard.copied ? t('ui.copied') : ''}
      </span>
    </div>
  );
}
