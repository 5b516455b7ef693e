import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import type { Me } from '#src/accounts/contract.ts';
import { ApiError } from '#web/call.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { post } from '#web/write.ts';
import { NewPassword } from '../NewPassword.tsx';
import { PasswordField } from '../PasswordField.tsx';
import { Section } from './Section.tsx';

const EMPTY = { current: '', fresh: '' };

/** Changes the password; every other session ends (docs/rules/access.md#sessions). */
export function PasswordSection({ me }: { me: Me }) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      current: (value) => (value === '' ? t('accounts.passwordNeeded') : null),
      fresh: (value) => (value.length < 8 ? t('accounts.passwordShort') : null),
    },
  });

  const write = useWrite({
    show: ({ error, sentence }) => {
      if (!(error instanceof ApiError) || error.reason !== 'invalid_password') return false;
      form.setFieldError('current', sentence);
      return true;
    },
  });

  const change = ({ current, fresh }: typeof EMPTY) =>
    write.run(() =>
      post('/auth/change-password', { currentPassword: current, newPassword: fresh }, () => {
        form.reset();
        notifications.show({ color: 'green', message: t('security.password.changed') });
      }),
    );

  return (
    <Section name="password" title={t('security.password.title')} lead={t('security.password.lead')}>
      {me.has_password ? (
        <form className={styles.stack} onSubmit={form.onSubmit((values) => void change(values))} noValidate>
          <Refused write={write} />
          {/* Hidden: tells password managers whose password changes. */}
          <input type="email" autoComplete="username" value={me.email} readOnly hidden />
          <div className={styles.row}>
            <PasswordField label={t('security.password.current')} {...form.getInputProps('current')} />
            <NewPassword label={t('accounts.newPassword')} {...form.getInputProps('fresh')} />
          </div>
          <div className={styles.actions}>
            <Button type="submit" loading={write.busy} disabled={write.waitSeconds > 0}>
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
