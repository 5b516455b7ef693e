import { Button, Modal, TextInput } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deleteMe, type Me } from '#src/accounts/contract.ts';
import { ApiError } from '#web/call.ts';
import { clearCache } from '#web/session.ts';
import form from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { ReturnFocus } from '#web/ui/ReturnFocus.tsx';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './DeleteAccount.module.css';
import { type Owned, useLastOwnerOf } from './last-owner.ts';
import { PasswordStep } from './PasswordStep.tsx';

/** Deletes the account, unless an organization would be left without an owner. */
export function DeleteAccount({ me, onClose }: { me: Me; onClose: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const lastOwnerOf = useLastOwnerOf();

  async function remove(password: string | undefined) {
    await send(deleteMe, { body: password === undefined ? {} : { password } });
    clearCache();
    await router.navigate({ to: '/sign-in', state: { note: 'deleted' } });
  }

  // No organization blocks it, so the refusal is about the installation.
  const words = (error: unknown) =>
    error instanceof ApiError && error.code === 'last_owner' ? t('security.delete.lastOperator') : undefined;

  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security.delete.button')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <ReturnFocus />
      {lastOwnerOf === undefined ? <LoadingRows count={2} /> : null}
      {lastOwnerOf !== undefined && lastOwnerOf.length > 0 ? (
        <StillOwned organizations={lastOwnerOf} onClose={onClose} />
      ) : null}
      {lastOwnerOf?.length === 0 && me.has_password ? (
        <PasswordStep
          email={me.email}
          text={t('security.delete.confirmText')}
          confirm={t('security.delete.button')}
          danger
          words={words}
          onConfirm={remove}
          onCancel={onClose}
        />
      ) : null}
      {lastOwnerOf?.length === 0 && !me.has_password ? (
        <ByAddress email={me.email} words={words} onConfirm={() => remove(undefined)} onCancel={onClose} />
      ) : null}
    </Modal>
  );
}

function StillOwned({ organizations, onClose }: { organizations: Owned[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={form.stack}>
      <p>{t('security.delete.lastOwner')}</p>
      <ul className={styles.owned}>
        {organizations.map(({ id, name }) => (
          <li key={id}>
            <strong>{name}</strong>
            <Link to="/o/$orgId/settings/members" params={{ orgId: id }}>
              {t('security.delete.members')}
            </Link>
            <Link to="/o/$orgId/settings" params={{ orgId: id }}>
              {t('security.delete.settings')}
            </Link>
          </li>
        ))}
      </ul>
      <div className={form.actions}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('ui.close')}
        </Button>
      </div>
    </div>
  );
}

type ByAddressProps = {
  email: string;
  words: (error: unknown) => string | undefined;
  onConfirm: () => Promise<void>;
  onCancel: () => void;
};

/** Accounts without a password confirm by typing the address. */
function ByAddress({ email, words, onConfirm, onCancel }: ByAddressProps) {
  const { t } = useTranslation();
  const write = useWrite({ words });
  const [typed, setTyped] = useState('');
  const right = typed.trim().toLowerCase() === email.toLowerCase();
  return (
    <form
      className={form.stack}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (right) void write.run(onConfirm);
      }}
    >
      <p>{t('security.delete.confirmText')}</p>
      <Refused write={write} />
      <TextInput
        data-autofocus
        label={t('ui.typeName', { name: email })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <FormActions
        submit={t('security.delete.button')}
        variant="danger"
        disabled={!right || write.waitSeconds > 0}
        busy={write.busy}
        onCancel={onCancel}
      />
    </form>
  );
}
