import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getExample } from '#src/examples/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { showGuide, useGuideShown } from './guide.ts';
import styles from './OfferExampleOutage.module.css';
import { RemoveExample } from './RemoveExample.tsx';

/** Marks the pages of an example: who started it, and when it ends. */
export function ExampleNotice({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const isGuided = useGuideShown(orgId);
  const example = useQuery(read(getExample, { params: { org_id: orgId } })).data?.example;
  const who = example?.started_by_name ?? null;
  return (
    <section className={styles.notice} aria-label={t('example.badge')}>
      <p className={styles.words}>
        {who === null ? t('example.notice') : t('example.noticeBy', { who })}{' '}
        {example == null ? null : t('example.goes', { when: formats.moment(example.removed_at_unix) })}
      </p>
      {example?.mine && !isGuided ? (
        <Button size="xs" variant="default" onClick={() => showGuide(orgId, true)}>
          {t('example.show')}
        </Button>
      ) : null}
      <RemoveExample orgId={orgId} />
    </section>
  );
}
