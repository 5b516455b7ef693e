import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { completeSetup, getInstallation } from '#src/accounts/contract.ts';
import { ApiError } from '#web/call.ts';
import { queryClient, read } from '#web/read.ts';
import { chooseProject } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import styles from '#web/ui/Form.module.css';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { atFields, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { Frame } from './Frame.tsx';
import { NewPassword } from './NewPassword.tsx';

const EMPTY = { name: '', email: '', password: '', organization: '' };

export default function SetupPage() {
  const { t } = useTranslation();
  const { token } = useSearch({ from: '/setup' });
  const installation = useQuery(read(getInstallation, {}));

  if (installation.isPending) {
    return (
      <Frame title={t('accounts.setup')}>
        <LoadingRows count={4} />
      </Frame>
    );
  }
  if (installation.isError) {
    return (
      <Frame title={t('accounts.setup')}>
        <Failure error={installation.error} retry={installation.refetch} />
      </Frame>
    );
  }
  if (!installation.data.setup_needed) {
    return (
      <Frame title={t('accounts.setupDone')}>
        <p>{t('accounts.setupDoneText')}</p>
        <Link to="/sign-in">{t('accounts.signIn')}</Link>
      </Frame>
    );
  }
  if (token === undefined) {
    return (
      <Frame title={t('accounts.setupFirst')}>
        <p>{t('accounts.setupFirstText')}</p>
      </Frame>
    );
  }
  return <SetupForm token={token} />;
}

function SetupForm({ token }: { token: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const form = useForm({
    initialValues: EMPTY,
    validate: {
      name: (value) => (value.trim() === '' ? t('accounts.nameNeeded') : null),
      email: (value) => (value.includes('@') ? null : t('accounts.emailNeeded')),
      password: (value) => (value.length < 8 ? t('accounts.passwordShort') : null),
      organization: (value) => (value.trim() === '' ? t('organizations.nameNeeded') : null),
    },
  });

  const write = useWrite({
    show: atFields(form),
    words: (error) =>
      error instanceof ApiError && error.status === 403 && error.field === undefined
        ? t('accounts.setupTokenWrong')
        : undefined,
  });

  const submit = (values: typeof EMPTY) =>
    write.run(async () => {
      const made = await send(completeSetup, {
        body: {
          token,
          name: values.name.trim(),
          email: values.email.trim(),
          password: values.password,
          organization: values.organization.trim(),
        },
      });
      queryClient.clear();
      chooseProject(made.organization_id, made.project_id);
      await router.navigate({ to: '/o/$orgId/monitors', params: { orgId: made.organization_id } });
    });

  return (
    <Frame title={t('accounts.setup')} lead={t('accounts.setupLead')}>
      <form className={styles.stack} onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
        <Refused write={write} />
        <TextInput
          label={t('accounts.yourName')}
          autoComplete="name"
          autoFocus
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('accounts.email')}
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <NewPassword {...form.getInputProps('password')} />
        <TextInput
          label={t('organizations.name')}
          description={t('organizations.nameHint')}
          autoComplete="organization"
          {...form.getInputProps('organization')}
        />
        <Button type="submit" size="md" loading={write.busy}>
          {t('accounts.setupButton')}
        </Button>
      </form>
    </Frame>
  );
}
