import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconPencil } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { useCommandRefusal } from '../use-command-refusal.ts';
import styles from './Postmortem.module.css';
import type { Autosave } from './use-autosave.ts';

/** Whether the text on the page is saved. */
export function SaveState({ autosave }: { autosave: Autosave }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sentence = useCommandRefusal();
  const { isDirty, saving, savedAtUnix, refused, clashes, flush } = autosave;
  const isStopped = clashes.length > 0;
  const failed = isStopped || (refused !== null && isDirty);
  const words = isStopped
    ? t('postmortem.save.stopped')
    : failed
      ? t('postmortem.save.failed', { why: sentence(refused) })
      : saving
        ? t('postmortem.save.saving')
        : isDirty
          ? t('postmortem.save.dirty')
          : savedAtUnix === null
            ? t('postmortem.save.clean')
            : t('postmortem.save.saved', { time: formats.clock(savedAtUnix) });
  const Shape = failed ? IconAlertTriangle : isDirty ? IconPencil : IconCheck;
  return (
    <div className={styles.save} data-failed={failed || undefined}>
      <span className={styles.saveWords} role="status">
        <Shape size={16} aria-hidden="true" />
        {words}
      </span>
      {isDirty ? (
        <Button size="xs" variant="default" loading={saving} onClick={() => void flush()}>
          {t('postmortem.saveNow')}
        </Button>
      ) : null}
    </div>
  );
}
