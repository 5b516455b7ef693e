import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import { read } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { Refused } from '#web/ui/Refused.tsx';
import { useWrite } from '#web/use-write.ts';
import { NewPassword } from '../NewPassword.tsx';
import { ProviderButton } from '../sign-in/ProviderButton.tsx';
import ways from '../sign-in/SignIn.module.css';
import { type InvitationOpened, useAccept } from './use-accept.ts';

type Props = { token: string; invitation: InvitationOpened; onSpent: () => void };

/** The invited address has no account yet: a name and a password create one and accept. */
export function AcceptWithNewAccount({ token, invitation, onSpent }: Props) {
  const { t } = useTranslation();
  const accept = useAccept(token, onSpent);
  const provider = useQuery(read(getInstallation, {})).data?.oidc;
  const write = useWrite();
  const form = useForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: (value) => (value.trim() === '' ? t('accounts.nameNeeded') : null),
      password: (value) => (value.length < 8 ? t('accounts.passwordShort') : null),
    },
  });
  const submit = ({ name, password }: { name: string; password: string }) =>
    write.run(() => accept({ name: name.trim(), password }));
  return (
    <>
      <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
        <Refused write={write} />
        {/* Hidden, since the card above shows it: password managers store the password under this name. */}
        <input type="email" autoComplete="username" value={invitation.email} readOnly hidden />
        <TextInput
          label={t('accounts.yourName')}
          autoComplete="name"
          autoFocus
          {...form.getInputProps('name')}
        />
        <NewPassword {...form.getInputProps('password')} />
        <Button type="submit" size="md" loading={write.busy} disabled={write.waitSeconds > 0}>
          {t('invitation.createAndJoin')}
        </Button>
      </form>
      {provider === undefined || provider === null ? null : (
        <>
          <div className={ways.or}>{t('accounts.or')}</div>
          <ProviderButton name={provider.name} back="/invitation" />
        </>
      )}
    </>
  );
}
