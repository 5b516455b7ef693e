import { Alert, Radio, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createInvitation, type Invitation } from '#src/members/contract.ts';
import { ApiError } from '#web/call.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { type Role, useMyRole } from '#web/shell/my-role.ts';
import styles from '#web/ui/Form.module.css';
import { FormActions } from '#web/ui/FormActions.tsx';
import { FormModal } from '#web/ui/FormModal.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { useHeldOpen } from '#web/ui/use-held-open.ts';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { InvitationLink } from './InvitationLink.tsx';
import own from './InvitePerson.module.css';
import { assignableRoles } from './role-rights.ts';

type Props = { opened: boolean; onClose: () => void };
type Handover = { invitation: Invitation; token: string };

/** Invites by mail; if none can be sent, shows the link to pass on, once. */
export function InvitePerson({ opened, onClose }: Props) {
  const { t } = useTranslation();
  const [handover, setHandover] = useState<Handover | null>(null);

  function end() {
    setHandover(null);
    onClose();
  }
  const { close, hold } = useHeldOpen(end);

  return (
    <FormModal
      opened={opened}
      onClose={close}
      title={t(handover === null ? 'invitations.newTitle' : 'invitations.linkTitle')}
      size="lg"
      // The link is shown only once, so a click outside the dialog must not close it.
      closeOnClickOutside={handover === null}
    >
      {(cancel) =>
        handover === null ? (
          <InviteForm hold={hold} onHandover={setHandover} onClose={end} onCancel={cancel} />
        ) : (
          <InvitationLink {...handover} onDone={end} />
        )
      }
    </FormModal>
  );
}

/** The plan's number of seats if none is left; null for any other refusal. */
const limitOf = (error: unknown) =>
  error instanceof ApiError && error.code === 'plan_limit' ? (error.limit ?? 0) : null;

type FormProps = {
  hold: <T>(work: () => Promise<T>) => Promise<T>;
  onHandover: (made: Handover) => void;
  onClose: () => void;
  onCancel: () => void;
};

function InviteForm({ hold, onHandover, onClose, onCancel }: FormProps) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const roles = assignableRoles(useMyRole());
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'member' },
    validate: { email: (value) => (value.trim() === '' ? t('invitations.emailNeeded') : null) },
  });

  const write = useWrite({
    show: ({ error, sentence }) => {
      if (limitOf(error) !== null) return false;
      form.setFieldError('email', sentence);
      return true;
    },
  });
  const full = limitOf(write.error);

  const invite = ({ email, role }: { email: string; role: Role }) =>
    write.run(async () => {
      const body = { email: email.trim(), role };
      const made = await hold(() => send(createInvitation, { params: { org_id: orgId }, body }));
      if (made.invite_token !== null) {
        onHandover({ invitation: made.invitation, token: made.invite_token });
        return;
      }
      notifications.show({ message: t('invitations.sent', { email: made.invitation.email }) });
      onClose();
    });

  return (
    <form className={styles.stack} onSubmit={form.onSubmit((values) => void invite(values))} noValidate>
      <UnsavedGuard isDirty={form.isDirty() && !write.busy} />
      {full === null ? null : (
        <Alert color="red" role="alert">
          {t('invitations.seatsFull', { count: full })}{' '}
          <Link to="/o/$orgId/settings/plan" params={{ orgId }}>
            {t('invitations.seePlan')}
          </Link>
        </Alert>
      )}
      <TextInput
        data-autofocus
        type="email"
        label={t('invitations.email')}
        description={t('invitations.emailHint')}
        autoComplete="off"
        maxLength={254}
        {...form.getInputProps('email')}
      />
      <Radio.Group label={t('invitations.role')} {...form.getInputProps('role')}>
        <div className={own.roles}>
          {roles.map((role) => (
            <Radio.Card key={role} value={role} className={own.role}>
              <Radio.Indicator />
              <span className={own.words}>
                <span className={own.name}>{t(`roles.${role}`)}</span>
                <span className={own.does}>{t(`roleWords.${role}`)}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <FormActions submit={t('invitations.send')} busy={write.busy} onCancel={onCancel} />
    </form>
  );
}
