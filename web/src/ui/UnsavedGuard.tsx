import { Button, Modal } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import stack from './Form.module.css';

/** Asks whoever leaves a page with something on it that is not saved; another part of the same page is no leaving. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const { t } = useTranslation();
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    disabled: !isDirty,
    withResolver: true,
  });
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      title={t('ui.unsavedTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={stack.stack}>
        <p>{t('ui.unsavedText')}</p>
        <div className={stack.actions}>
          <Button variant="default" data-autofocus onClick={() => blocker.reset?.()}>
            {t('ui.stay')}
          </Button>
          <Button variant="danger" onClick={() => blocker.proceed?.()}>
            {t('ui.leave')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
