import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './CopyField.module.css';

/** A value to take along: shown whole, with a button that copies it and says so. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_500 });
  return (
    <div className={styles.field}>
      <code className={styles.value} role="textbox" aria-readonly="true" aria-label={label} tabIndex={0}>
        {value}
      </code>
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
