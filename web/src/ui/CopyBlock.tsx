import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './CopyBlock.module.css';

/** A command shown whole, with a button that copies it and says so. */
export function CopyBlock({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation();
  const clipboard = useClipboard({ timeout: 2_500 });
  const word = clipboard.copied ? t('ui.copied') : t('ui.copy');
  return (
    <div className={styles.block}>
      <pre className={styles.text}>{text}</pre>
      <Tooltip label={word}>
        <ActionIcon
          className={styles.button}
          aria-label={`${word}: ${label}`}
          onClick={() => clipboard.copy(text)}
        >
          {clipboard.copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
        </ActionIcon>
      </Tooltip>
      <span className="visually-hidden" aria-live="polite">
        {clipboard.copied ? t('ui.copied') : ''}
      </span>
    </div>
  );
}
