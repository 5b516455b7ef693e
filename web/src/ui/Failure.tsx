import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './Notice.module.css';
import { useRefusalSentence } from './refusal-sentence.ts';

/** A failed read: what happened, and a button to retry. */
export function Failure({ error, retry }: { error: unknown; retry: () => unknown }) {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  return (
    <div className={styles.notice} role="alert">
      <p className={styles.title}>{t('ui.failedTitle')}</p>
      <p className={styles.text}>{sentence(error)}</p>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        onClick={() => {
          void retry();
        }}
      >
        {t('ui.retry')}
      </Button>
    </div>
  );
}
