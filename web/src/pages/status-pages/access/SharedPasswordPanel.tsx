import { Button, Modal, PasswordInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  removeSharedPassword,
  rotateSharedPassword,
  setSharedPassword,
} from '#src/status-pages/access-contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { FormModal } from '#web/ui/FormModal.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useWhileShown } from '#web/ui/use-while-shown.ts';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { accessModeOf } from '../page-access.ts';
import own from './Access.module.css';
import { PasswordShownOnce } from './PasswordShownOnce.tsx';

type Dialog = 'set' | 'rotate' | 'remove';

/** The shared password of the page: effective as soon as it is set, and never shown afterwards. */
export function SharedPasswordPanel({ page }: { page: StatusPage }) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const params = { id: page.id };
  const isSet = page.shared_password_set;
  const close = () => setDialog(null);
  const words = {
    set: t(isSet ? 'statusPages.password.set' : 'statusPages.password.first'),
    rotate: t(isSet ? 'statusPages.password.rotate' : 'statusPages.password.make'),
    remove: t('statusPages.password.remove'),
  };
  const button = (which: Dialog, variant: 'default' | 'danger' | 'filled') => (
    <Button variant={variant} size="xs" onClick={() => setDialog(which)}>
      {words[which]}
    </Button>
  );
  return (
    <Panel title={t('statusPages.password.title')}>
      <p className={own.text}>{t(isSet ? 'statusPages.password.isSet' : 'statusPages.password.isNot')}</p>
      <div className={own.buttons}>
        {button('set', isSet ? 'default' : 'filled')}
        {button('rotate', 'default')}
        {isSet ? button('remove', 'danger') : null}
      </div>
      <FormModal opened={dialog === 'set'} title={words.set} size="lg" onClose={close}>
        {(cancel) => <PasswordForm page={page} onDone={close} onCancel={cancel} />}
      </FormModal>
      <Confirm
        opened={dialog === 'rotate'}
        title={words.rotate}
        text={t(isSet ? 'statusPages.password.rotateText' : 'statusPages.password.makeText')}
        confirm={t('statusPages.password.rotateConfirm')}
        onConfirm={() => send(rotateSharedPassword, { params }, ({ password }) => setMade(password))}
        onClose={close}
      />
      <Confirm
        opened={dialog === 'remove'}
        title={words.remove}
        text={t(
          accessModeOf(page) === 'shared_password'
            ? 'statusPages.password.removeProtecting'
            : 'statusPages.password.removeText',
        )}
        confirm={t('statusPages.password.removeConfirm')}
        onConfirm={() => send(removeSharedPassword, { params })}
        onClose={close}
      />
      <Modal
        opened={made !== null}
        onClose={() => setMade(null)}
        title={t('statusPages.password.made')}
        size="lg"
        // It is shown only once, so a click outside the dialog must not close it.
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <PasswordShownOnce
          text={t('statusPages.password.madeText')}
          password={made ?? ''}
          onDone={() => setMade(null)}
        />
      </Modal>
    </Panel>
  );
}

const MIN_CHARACTERS = 8;

type FormProps = { page: StatusPage; onDone: () => void; onCancel: () => void };

function PasswordForm({ page, onDone, onCancel }: FormProps) {
  const { t } = useTranslation();
  const close = useWhileShown(onDone);
  const form = useForm({
    initialValues: { password: '' },
    validate: {
      password: (value) => (value.length < MIN_CHARACTERS ? t('statusPages.password.tooShort') : null),
    },
  });
  const write = useWrite({ show: atFields(form) });
  const set = (body: { password: string }) =>
    write.run(async () => {
      await send(setSharedPassword, { params: { id: page.id }, body });
      notifications.show({ message: t('statusPages.password.saved') });
      close();
    });
  return (
    <form className={styles.stack} onSubmit={form.onSubmit((values) => void set(values))} noValidate>
      <UnsavedGuard isDirty={form.isDirty() && !write.busy} />
      {page.shared_password_set ? <p>{t('statusPages.password.setText')}</p> : null}
      <Refused write={write} />
      <PasswordInput
        data-autofocus
        label={t('statusPages.password.title')}
        description={t('statusPages.password.hint')}
        autoComplete="new-password"
        maxLength={128}
        visibilityToggleButtonProps={{ 'aria-label': t('targets.showKey') }}
        {...form.getInputProps('password')}
      />
      <FormActions submit={t('ui.save')} busy={write.busy} onCancel={onCancel} />
    </form>
  );
}
