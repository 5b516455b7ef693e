import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import type { Me } from '#src/accounts/contract.ts';
import { ApiError, fetchJson } from '#web/call.ts';
import { queryClient } from '#web/read.ts';
import { sessionQuery } from '#web/session.ts';
import styles from '#web/ui/Form.module.css';
import { NewPassword } from '../NewPassword.tsx';
import { PasswordField } from '../PasswordField.tsx';
import { Refused } from '../Refused.tsx';
import { useSubmission } from '../use-submission.ts';
import { Section } from './Section.tsx';
import { sessionsQuery } from './sessions.ts';

const EMPTY = { current: '', fresh: '' };

/** A new password against the old one; every other session ends with it (docs/rules/access.md#sessions). */
export function PasswordSection({ me }: { me: Me }) {
  const { t } = useTranslation();
  const submission = useSubmission();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current: (value) => (value === '' ? t('accounts.passwordNeeded') : null),
      fresh: (value) => (value.length < 8 ? t('accounts.passwordShort') : null),
    },
  });

  const change = ({ current, fresh }: typeof EMPTY) =>
    submission.run(async () => {
      try {
        await fetchJson('POST', '/auth/change-password', { currentPassword: current, newPassword: fresh });
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'invalid_password') throw error;
        form.setFieldError('current', t('errors.reasons.invalid_password'));
        return;
      }
      form.reset();
      notifications.show({ color: 'green', message: t('security.password.changed') });
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    });

  return (
    <Section name="password" title={t('security.password.title')} lead={t('security.password.lead')}>
      {me.has_password ? (
        <form className={styles.stack} onSubmit={form.onSubmit((values) => void change(values))} noValidate>
          <Refused submission={submission} />
          {/* Not shown: tells password managers whose password changes. */}
          <input type="email" autoComplete="username" value={me.email} readOnly hidden />
          <div className={styles.row}>
            <PasswordField label={t('security.password.current')} {...form.getInputProps('current')} />
            <NewPassword label={t('accounts.newPassword')} {...form.getInputProps('fresh')} />
          </div>
          <div className={styles.actions}>
            <Button type="submit" loading={submission.busy} disabled={submission.waitSeconds > 0}>
              {t('security.password.change')}
            </Button>
          </div>
        </form>
      ) : (
        <p>{t('security.password.none')}</p>
      )}
    </Section>
  );
}
