import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createOrganization } from '#src/organizations/contract.ts';
import styles from '#web/ui/Form.module.css';
import { atField, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';

/** Creates an organization and opens it. */
export function OrganizationForm({ onDone }: { onDone?: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? t('organizations.nameNeeded') : null) },
  });

  const write = useWrite({ show: atField(form, 'name') });

  const submit = (name: string) =>
    write.run(async () => {
      const made = await send(createOrganization, { body: { name: name.trim() } });
      onDone?.();
      await router.navigate({ to: '/o/$orgId/monitors', params: { orgId: made.id } });
    });

  return (
    <form className={styles.stack} onSubmit={form.onSubmit(({ name }) => void submit(name))} noValidate>
      <TextInput
        data-autofocus
        label={t('organizations.name')}
        description={t('organizations.nameHint')}
        {...form.getInputProps('name')}
      />
      <div className={styles.actions}>
        <Button type="submit" loading={write.busy}>
          {t('organizations.create')}
        </Button>
      </div>
    </form>
  );
}
