import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import stack from '#web/ui/Form.module.css';
import type { Autosave } from './use-autosave.ts';

/** Saves the text when the reader leaves the page; asks only if saving fails. */
export function LeaveGuard({ autosave }: { autosave: Autosave }) {
  const { t } = useTranslation();
  const { isDirty, flush } = autosave;
  const blocker = useBlocker({
    shouldBlockFn: async () => !(await flush()),
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('postmortem.leaveTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={stack.stack}>
        <p>{t('postmortem.leaveText')}</p>
        <div className={stack.actions}>
          <Button variant="default" onClick={() => blocker.reset?.()}>
            {t('postmortem.stay')}
          </Button>
          <Button variant="danger" onClick={() => blocker.proceed?.()}>
            {t('postmortem.leave')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
