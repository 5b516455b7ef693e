import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { createMonitor } from '#src/monitors/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { atField, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './FirstMonitor.module.css';
import { examples, nameFrom, withScheme } from './first-url.ts';
import { TypePicker } from './TypePicker.tsx';

/** The empty list: one field creates the first monitor. */
export function FirstMonitor({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const router = useRouter();
  const orgId = useOrgId();
  const form = useForm({ initialValues: { url: '' } });
  const field = useRef<HTMLInputElement>(null);
  const write = useWrite({ show: atField(form, 'url') });

  function submit(typed: string) {
    const url = withScheme(typed);
    const body = { name: nameFrom(url), type: 'http', config: { url } } as const;
    // Navigate first: after a refetch the list is not empty, and this form would unmount before it could navigate.
    return write.run(() =>
      send(createMonitor, { params: { project_id: projectId }, body }, ({ id: monitorId }) =>
        router.navigate({
          to: '/o/$orgId/monitors/$monitorId',
          params: { orgId, monitorId },
          state: { made: monitorId },
        }),
      ),
    );
  }

  return (
    <>
      <section className={styles.first}>
        <h2 className={styles.title}>{t('monitors.first.title')}</h2>
        <p className={styles.text}>{t('monitors.first.text')}</p>
        <form className={styles.form} onSubmit={form.onSubmit(({ url }) => void submit(url))} noValidate>
          <TextInput
            ref={field}
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
          <Button type="submit" size="md" loading={write.busy} disabled={form.values.url.trim() === ''}>
            {t('monitors.first.button')}
          </Button>
        </form>
        <div className={styles.examples}>
          <span className={styles.for}>{t('monitors.first.for')}</span>
          {examples(location.origin).map(({ key, url }) => (
            <button
              key={key}
              type="button"
              className={styles.example}
              onClick={() => {
                form.setFieldValue('url', url);
                field.current?.focus();
              }}
            >
              <span className={styles.what}>{t(`monitors.first.examples.${key}`)}</span>
              <span className={styles.address}>{url}</span>
            </button>
          ))}
        </div>
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
