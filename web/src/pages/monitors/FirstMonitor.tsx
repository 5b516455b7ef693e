import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { createMonitor, listMonitors } from '#src/monitors/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import styles from './FirstMonitor.module.css';
import { TypePicker } from './TypePicker.tsx';

/** A name for a monitor that was made from nothing but its address. */
function nameFrom(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 200) || url;
  } catch {
    return url.slice(0, 200);
  }
}

/** The empty list: one field, and the first monitor is running. */
export function FirstMonitor({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const orgId = useOrgId();
  const sentence = useRefusalSentence();
  const [busy, setBusy] = useState(false);
  const form = useForm({ initialValues: { url: '' } });

  async function submit(typed: string) {
    const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`;
    setBusy(true);
    try {
      const made = await call(createMonitor, {
        params: { project_id: projectId },
        body: { name: nameFrom(url), type: 'http', config: { url } },
      });
      await queryClient.invalidateQueries({ queryKey: everyRead(listMonitors) });
      await router.navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId: made.id } });
    } catch (error) {
      form.setFieldError('url', sentence(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <section className={styles.first}>
        <h2 className={styles.title}>{t('monitors.first.title')}</h2>
        <p className={styles.text}>{t('monitors.first.text')}</p>
        <form className={styles.form} onSubmit={form.onSubmit(({ url }) => void submit(url))} noValidate>
          <TextInput
            className={styles.url}
            size="md"
            aria-label={t('monitors.first.url')}
            placeholder="https://example.com/health"
            type="url"
            inputMode="url"
            autoFocus
            spellCheck={false}
            {...form.getInputProps('url')}
          />
          <Button type="submit" size="md" loading={busy} disabled={form.values.url.trim() === ''}>
            {t('monitors.first.button')}
          </Button>
        </form>
        <p className={styles.more}>
          <Link to="/o/$orgId/monitors/new" params={{ orgId }} search={{ type: 'http' }}>
            {t('monitors.first.more')}
          </Link>
        </p>
      </section>
      <h2 className={styles.other}>{t('monitors.first.other')}</h2>
      <TypePicker />
    </>
  );
}
