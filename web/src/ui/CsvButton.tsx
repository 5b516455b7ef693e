import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './CsvButton.module.css';
import { useRefusalSentence } from './refusal-sentence.ts';
import { useFile } from './use-file.ts';

/** Downloads the data on screen as CSV, with the current filters. */
export function CsvButton({ get, name }: { get: () => Promise<Blob>; name: string }) {
  const { t } = useTranslation();
  const file = useFile();
  const sentence = useRefusalSentence();
  return (
    <>
      <Button
        variant="default"
        loading={file.busy}
        leftSection={<IconDownload size={16} aria-hidden="true" />}
        onClick={() => void file.save(get, name)}
      >
        {t('ui.csv')}
      </Button>
      {file.error === null ? null : (
        <p className={styles.refused} role="alert">
          {sentence(file.error)}
        </p>
      )}
    </>
  );
}
