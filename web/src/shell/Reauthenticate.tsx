import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '#src/accounts/contract.ts';
import { setReauthenticator } from '../call.ts';
import { ReauthenticateForm } from '../pages/accounts/ReauthenticateForm.tsx';
import { read } from '../read.ts';
import { Failure } from '../ui/Failure.tsx';
import { LoadingRows } from '../ui/LoadingRows.tsx';

/**
 * Present on every page: if an operation requires a fresh sign-in, this asks for it, and the operation continues. One
 * sign-in serves all operations that wait.
 */
export function Reauthenticate() {
  const [opened, setOpened] = useState(false);
  const waiting = useRef<((confirmed: boolean) => void)[]>([]);

  useEffect(() => {
    setReauthenticator(
      () =>
        new Promise((answer) => {
          waiting.current.push(answer);
          setOpened(true);
        }),
    );
    return () => setReauthenticator(null);
  }, []);

  function finish(confirmed: boolean) {
    setOpened(false);
    for (const answer of waiting.current.splice(0)) answer(confirmed);
  }

  return opened ? <Asking onConfirmed={() => finish(true)} onCancel={() => finish(false)} /> : null;
}

function Asking({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const { t } = useTranslation();
  const me = useQuery(read(getMe, {}));
  return (
    <Modal
      opened
      onClose={onCancel}
      title={t('security.again.title')}
      // Above the dialog that caused it.
      zIndex={300}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {me.isPending ? <LoadingRows count={2} /> : null}
      {me.isError ? <Failure error={me.error} retry={me.refetch} /> : null}
      {me.data ? <ReauthenticateForm me={me.data} onConfirmed={onConfirmed} onCancel={onCancel} /> : null}
    </Modal>
  );
}
