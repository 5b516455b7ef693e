import { Button, Modal, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '../../../../../src/accounts/contract.ts';
import { ApiError } from '../../../call.ts';
import { everyRead, queryClient } from '../../../read.ts';
import styles from '../../../ui/Form.module.css';
import { addPasskey, PasskeyError, passkeysQuery } from '../passkeys.ts';
import { Refused } from '../Refused.tsx';
import { useSubmission } from '../use-submission.ts';
import { deviceName } from './device.ts';

const BACK_HERE = '/account#passkeys';

/** Names the new passkey, then the browser takes over. Whoever signed in long ago signs in once more first. */
export function AddPasskey({ email, onClose }: { email: string; onClose: () => void }) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const [name, setName] = useState(() => deviceName(navigator.userAgent));

  const stale = submission.error instanceof ApiError && submission.error.reason === 'session_not_fresh';

  const add = () =>
    submission.run(async () => {
      await addPasskey(name.trim());
      await queryClient.invalidateQueries({ queryKey: passkeysQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: everyRead(getMe) });
      onClose();
    });

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.passkeys.add')}
      closeOnClickOutside={!submission.busy}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <form
        className={styles.stack}
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          if (name.trim() !== '') void add();
        }}
      >
        <p>{t('security.passkeys.addText')}</p>
        <Refused
          submission={submission}
          words={(error) =>
            error instanceof PasskeyError ? t(`security.passkeys.problem.${error.kind}`) : undefined
          }
        />
        <TextInput
          data-autofocus
          label={t('security.passkeys.name')}
          description={t('security.passkeys.nameHint')}
          autoComplete="off"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          {stale ? (
            <Button
              renderRoot={(props) => (
                <Link to="/sign-in" search={{ back: BACK_HERE }} state={{ email }} {...props} />
              )}
            >
              {t('security.passkeys.signInAgain')}
            </Button>
          ) : (
            <Button
              type="submit"
              loading={submission.busy}
              disabled={name.trim() === '' || submission.waitSeconds > 0}
            >
              {t('security.passkeys.create')}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  );
}
