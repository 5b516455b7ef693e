import { Button, Modal } from '@mantine/core';
import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { use, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import stack from './Form.module.css';
import { UnsavedInDialog } from './unsaved-in-dialog.ts';
import { noteVanished } from './vanished-form.ts';

type Props = {
  isDirty: boolean;
  /** The changes are on their way: nobody is asked about them. */
  isSaving?: boolean;
  /** The URL's search names the subject of the form: another search is another form. */
  inSearch?: boolean;
};

/**
 * Asks before the reader leaves a page with unsaved changes; another part of the same page does not count. In a dialog
 * (FormModal.tsx) it also asks before closing.
 */
export function UnsavedGuard({ isDirty, isSaving = false, inSearch = false }: Props) {
  const report = use(UnsavedInDialog);
  const isAsked = isDirty && !isSaving;
  useEffect(() => {
    report?.(isAsked);
    return () => report?.(false);
  }, [report, isAsked]);
  // Read at the moment of leaving: the router updates its blocker in an effect, which may be too late for a quick reader.
  const dirty = useRef(isAsked);
  const unsaved = useRef(isDirty);
  useLayoutEffect(() => {
    dirty.current = isAsked;
    unsaved.current = isDirty;
  }, [isAsked, isDirty]);
  useEffect(() => {
    const { pathname } = window.location;
    return () => {
      if (unsaved.current && window.location.pathname === pathname) noteVanished();
    };
  }, []);
  const blocker = useBlocker({
    shouldBlockFn: useCallback<ShouldBlockFn>(
      ({ current, next }) =>
        dirty.current &&
        (current.pathname !== next.pathname ||
          (inSearch && JSON.stringify(current.search) !== JSON.stringify(next.search))),
      [inSearch],
    ),
    enableBeforeUnload: useCallback(() => dirty.current, []),
    withResolver: true,
  });
  return (
    <UnsavedChangesDialog
      opened={blocker.status === 'blocked'}
      onStay={() => blocker.reset?.()}
      onLeave={() => blocker.proceed?.()}
    />
  );
}

type AskProps = { opened: boolean; stackId?: string; onStay: () => void; onLeave: () => void };

/** The question itself; the safe answer is the default. */
export function UnsavedChangesDialog({ opened, stackId, onStay, onLeave }: AskProps) {
  const { t } = useTranslation();
  return (
    <Modal
      stackId={stackId}
      opened={opened}
      onClose={onStay}
      title={t('ui.unsavedTitle')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <div className={stack.stack}>
        <p>{t('ui.unsavedText')}</p>
        <div className={stack.actions}>
          <Button variant="default" data-autofocus onClick={onStay}>
            {t('ui.stay')}
          </Button>
          <Button variant="danger" onClick={onLeave}>
            {t('ui.leave')}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
