import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReturnFocus } from './ReturnFocus.tsx';
import { UnsavedChangesDialog } from './UnsavedGuard.tsx';
import { UnsavedInDialog } from './unsaved-in-dialog.ts';

type Props = Pick<ModalProps, 'opened' | 'title' | 'size' | 'closeOnClickOutside'> & {
  onClose: () => void;
  /** `cancel` closes like Escape: it asks first if something would be lost. */
  children: (cancel: () => void) => ReactNode;
};

/** A dialog with a form; an `UnsavedGuard` inside says whether closing would lose changes. */
export function FormModal({ opened, title, size, closeOnClickOutside = true, onClose, children }: Props) {
  const { t } = useTranslation();
  const isDirty = useRef(false);
  const [isAsking, setAsking] = useState(false);
  const report = useCallback((dirty: boolean) => {
    isDirty.current = dirty;
  }, []);
  const cancel = () => (isDirty.current ? setAsking(true) : onClose());
  return (
    <UnsavedInDialog value={report}>
      {/* A stack: both dialogs receive the Escape that opens the question, which must not close it again. */}
      <Modal.Stack>
        <Modal
          stackId="form"
          opened={opened}
          onClose={cancel}
          title={title}
          size={size}
          closeOnClickOutside={closeOnClickOutside}
          closeButtonProps={{ 'aria-label': t('ui.close') }}
        >
          <ReturnFocus />
          {children(cancel)}
        </Modal>
        <UnsavedChangesDialog
          stackId="question"
          opened={isAsking}
          onStay={() => setAsking(false)}
          onLeave={() => {
            setAsking(false);
            onClose();
          }}
        />
      </Modal.Stack>
    </UnsavedInDialog>
  );
}
