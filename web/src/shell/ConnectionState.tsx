import { Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { LiveState } from '../live.ts';
import styles from './ConnectionState.module.css';

/** Whether the screen is being kept up to date. */
export function ConnectionState({ state }: { state: LiveState }) {
  const { t } = useTranslation();
  return (
    <Tooltip label={t(`shell.live.${state}Hint`)} multiline w={220} position="top-start">
      <div className={styles.state} data-state={state} role="status" aria-live="polite">
        <span className={styles.dot} aria-hidden="true" />
        <span className={styles.word}>{t(`shell.live.${state}`)}</span>
      </div>
    </Tooltip>
  );
}
