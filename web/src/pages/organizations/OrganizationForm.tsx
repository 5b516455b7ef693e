import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createOrganization, listMyOrganizations } from '#src/organizations/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient } from '#web/read.ts';
import styles from '#web/ui/Form.module.css';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';

/** Creates an organization and goes there. */
export function OrganizationForm({ onDone }: { onDone?: () => void }) {
  const { t } = useTranslation();
  const router = useRouter();
  const sentence = useRefusalSentence();
  const [busy, setBusy] = useState(false);
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() === '' ? t('organizations.nameNeeded') : null) },
  });

  async function submit(name: string) {
    setBusy(true);
    try {
      const made = await call(createOrganization, { body: { name: name.trim() } });
      await queryClient.invalidateQueries({ queryKey: everyRead(listMyOrganizations) });
      onDone?.();
      await router.navigate({ to: '/o/$orgId/monitors', params: { orgId: made.id } });
    } catch (error) {
      form.setFieldError('name', sentence(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className={styles.stack} onSubmit={form.onSubmit(({ name }) => void submit(name))} noValidate>
      <TextInput
        data-autofocus
        label={t('organizations.name')}
        description={t('organizations.nameHint')}
        {...form.getInputProps('name')}
      />
      <div className={styles.actions}>
        <Button type="submit" loading={busy}>
          {t('organizations.create')}
        </Button>
      </div>
    </form>
  );
}
