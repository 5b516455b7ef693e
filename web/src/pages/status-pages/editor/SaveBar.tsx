import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/call.ts';
import { Refused } from '#web/ui/Refused.tsx';
import { partOfField } from './part-of-field.ts';
import styles from './SaveBar.module.css';
import type { Editor } from './use-page-draft.ts';

/** While something is not saved: that it is not, and both ways on. `form` is the form that it sends. */
export function SaveBar({ editor, form }: { editor: Editor; form: string }) {
  const { t } = useTranslation();
  const { isDirty, write, discard } = editor;
  // Fields of the general part say themselves what they were refused with.
  const isAtField =
    write.error instanceof ApiError && partOfField(write.error.field) === 'general' && write.error.field;
  return (
    <>
      <span className="visually-hidden" aria-live="polite">
        {isDirty ? t('statusPages.unsaved') : ''}
      </span>
      {isDirty ? (
        <div className={styles.bar}>
          {isAtField ? null : <Refused write={write} />}
          <div className={styles.line}>
            <p className={styles.words}>{t('statusPages.unsaved')}</p>
            <Button variant="default" disabled={write.busy} onClick={discard}>
              {t('statusPages.discard')}
            </Button>
            <Button type="submit" form={form} loading={write.busy}>
              {t('ui.save')}
            </Button>
          </div>
        </div>
      ) : null}
    </>
  );
}
