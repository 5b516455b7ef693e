import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createViewer } from '#src/status-pages/access-contract.ts';
import { ApiError } from '#web/call.ts';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { FormModal } from '#web/ui/FormModal.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { PasswordShownOnce } from './PasswordShownOnce.tsx';

type Props = { opened: boolean; pageId: string; onClose: () => void };
type CreatedViewer = { username: string; password: string };

/** Invites by mail; if none can be sent, shows the password to pass on, once. */
export function InviteViewer({ opened, pageId, onClose }: Props) {
  const { t } = useTranslation();
  const [made, setMade] = useState<CreatedViewer | null>(null);

  function end() {
    setMade(null);
    onClose();
  }
  const { close, hold } = useHeldOpen(end);

  return (
    <FormModal
      opened={opened}
      onClose={close}
      title={t(made === null ? 'statusPages.viewers.invite' : 'statusPages.password.made')}
      size="lg"
      closeOnClickOutside={made === null}
    >
      {(cancel) =>
        made === null ? (
          <InviteForm pageId={pageId} hold={hold} onMade={setMade} onClose={end} onCancel={cancel} />
        ) : (
          <PasswordShownOnce
            text={t('statusPages.viewers.handOver', { name: made.username })}
            password={made.password}
            onDone={end}
          />
        )
      }
    </FormModal>
  );
}

type FormProps = {
  pageId: string;
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  onMade: (made: CreatedViewer) => void;
  onClose: () => void;
  onCancel: () => void;
};

function InviteForm({ pageId, hold, onMade, onClose, onCancel }: FormProps) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { username: '', email: '' },
    validate: {
      username: (value) => (value.trim() === '' ? t('statusPages.viewers.nameNeeded') : null),
      email: (value) => (value.trim() === '' ? t('invitations.emailNeeded') : null),
    },
  });
  const write = useWrite({
    show: atFields(form),
    words: (error) =>
      error instanceof ApiError && error.status === 409
        ? t(error.field === 'email' ? 'statusPages.viewers.emailTaken' : 'statusPages.viewers.nameTaken')
        : undefined,
  });
  const invite = ({ username, email }: { username: string; email: string }) =>
    write.run(async () => {
      const body = { username: username.trim(), email: email.trim() };
      const made = await hold(() => send(createViewer, { params: { id: pageId }, body }));
      if (made.password !== undefined) return onMade({ username: made.username, password: made.password });
      notifications.show({ message: t('statusPages.viewers.sent', { email: made.email }) });
      onClose();
    });
  return (
    <form className={styles.stack} onSubmit={form.onSubmit((values) => void invite(values))} noValidate>
      <UnsavedGuard isDirty={form.isDirty() && !write.busy} />
      <Refused write={write} />
      <TextInput
        data-autofocus
        label={t('statusPages.viewers.name')}
        description={t('statusPages.viewers.nameHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        {...form.getInputProps('username')}
      />
      <TextInput
        type="email"
        label={t('invitations.email')}
        description={t('statusPages.viewers.emailHint')}
        autoComplete="off"
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <FormActions submit={t('statusPages.viewers.invite')} busy={write.busy} onCancel={onCancel} />
    </form>
  );
}
