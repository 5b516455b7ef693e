import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import styles from './HeartbeatSnippets.module.css';
import { SNIPPETS, type SnippetKind } from './heartbeat-snippets.ts';

const KINDS = Object.keys(SNIPPETS) as SnippetKind[];
const ENDINGS = ['start', 'fail', 'exit', 'rid'] as const;

/** Lines to paste into the job, and the meaning of each suffix of the address. */
export function HeartbeatSnippets({ url, when }: { url: string; when: string }) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<SnippetKind>('crontab');
  return (
    <section className={styles.snippets}>
      <div className={styles.head}>
        <h3 className={styles.title}>{t('heartbeat.howTo')}</h3>
        <div className={styles.kinds}>
          <SegmentedControl
            size="xs"
            aria-label={t('heartbeat.howTo')}
            value={kind}
            onChange={(value) => setKind(value as SnippetKind)}
            data={KINDS.map((value) => ({ value, label: t(`heartbeat.snippet.${value}`) }))}
          />
        </div>
      </div>
      <CopyBlock label={t(`heartbeat.snippet.${kind}`)} text={SNIPPETS[kind](url, when)} />
      <p className={styles.text}>{t(`heartbeat.explain.${kind}`)}</p>
      <dl className={styles.endings}>
        {ENDINGS.map((ending) => (
          <div key={ending}>
            <dt className="mono">{t(`heartbeat.ending.${ending}.path`)}</dt>
            <dd>{t(`heartbeat.ending.${ending}.what`)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
