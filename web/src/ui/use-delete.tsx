// Deletes after a time in which the reader can undo it, with a notification.
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { doAfterUndoTime, UNDO_MS, type Undoable, undo } from '../undoable.ts';
import { useRefusalSentence } from './refusal-sentence.ts';
import styles from './use-delete.module.css';

type DeleteRequest = {
  ids: readonly string[];
  /** Its name, as people know it. */
  name: string;
  /** The name is a number of things, such as "3 monitors". */
  isCount?: boolean;
  send: () => Promise<unknown>;
};

let made = 0;

/** Returns a function that deletes soon, with an undo; the caller leaves the page at once. */
export function useDelete(): (request: DeleteRequest) => void {
  const { t } = useTranslation();
  const sentenceOf = useRefusalSentence();
  return ({ ids, name, isCount = false, send }) => {
    const words = isCount ? 'deletions' : 'deletion';
    made += 1;
    const id = `deletion-${made}`;
    const say = (color: string | undefined, message: string) =>
      notifications.update({ id, color, title: null, message, autoClose: 6_000 });
    const deletion: Undoable = {
      ids,
      send,
      onUndone: () => say('green', t(`ui.${words}.undone`, { name })),
      onDone: () => say(undefined, t(`ui.${words}.done`, { name })),
      onRefused: (error) => say('red', t(`ui.${words}.refused`, { name, why: sentenceOf(error) })),
    };
    if (!doAfterUndoTime(deletion)) return;
    notifications.show({
      id,
      autoClose: false,
      withCloseButton: false,
      message: (
        <span className={styles.note}>
          <span className={styles.words}>{t(`ui.${words}.soon`, { name })}</span>
          <Button size="compact-sm" variant="default" onClick={() => undo(deletion)}>
            {t('ui.deletion.undo')}
          </Button>
          <span className={styles.time} style={{ animationDuration: `${UNDO_MS}ms` }} />
        </span>
      ),
    });
  };
}
