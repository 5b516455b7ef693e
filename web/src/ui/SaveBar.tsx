import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Write } from '../use-write.ts';
import { BottomBar } from './BottomBar.tsx';
import { Refused } from './Refused.tsx';
import styles from './SaveBar.module.css';

type Props = {
  isDirty: boolean;
  write: Write<void>;
  /** Whether the refusal stands at its field already. */
  isAtField?: boolean;
  /** The form that it sends. */
  form: string;
  onDiscard: () => void;
};

/** The one Save of a page with several parts. It shows while something is not saved, with both ways on. */
export function SaveBar({ isDirty, write, isAtField = false, form, onDiscard }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <span className="visually-hidden" aria-live="polite">
        {isDirty ? t('ui.unsaved') : ''}
      </span>
      {isDirty ? (
        <BottomBar className={styles.bar}>
          {isAtField ? null : <Refused write={write} />}
          <div className={styles.line}>
            <p className={styles.words}>{t('ui.unsaved')}</p>
            <Button variant="default" disabled={write.busy} onClick={onDiscard}>
              {t('ui.discard')}
            </Button>
            <Button type="submit" form={form} loading={write.busy}>
              {t('ui.save')}
            </Button>
          </div>
        </BottomBar>
      ) : null}
    </>
  );
}
