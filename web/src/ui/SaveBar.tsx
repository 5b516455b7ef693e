import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Write } from '../use-write.ts';
import { BottomBar } from './BottomBar.tsx';
import { Refused } from './Refused.tsx';
import styles from './SaveBar.module.css';

type Props = {
  isDirty: boolean;
  write: Write<void>;
  /** Whether its field already shows the refusal. */
  isAtField?: boolean;
  /** The form that it submits. */
  form: string;
  onDiscard: () => void;
};

/**
 * The Save button of a page with several parts. It appears while there are unsaved changes, beside a button to discard
 * them.
 */
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
