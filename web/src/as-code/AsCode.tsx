import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Operation } from '#src/platform/contract.ts';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import { pathOfRequest, type RequestOf } from '../call.ts';
import { CollapsibleSection } from '../pages/monitors/form/CollapsibleSection.tsx';
import styles from './AsCode.module.css';
import { curlCall, fetchCall } from './calls.ts';
import { masked } from './mask.ts';

const FORMS = ['json', 'curl', 'fetch'] as const;

type Props<O extends Operation> = { operation: O; request: RequestOf<O>; shown: unknown };

/** A collapsed section: the data on the screen as JSON, without secrets, and the API call that reads it. */
export function AsCode<O extends Operation>({ operation, request, shown }: Props<O>) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const [form, setForm] = useState<(typeof FORMS)[number]>('json');
  const text = () => {
    if (form === 'json') return JSON.stringify(masked(shown), null, 2);
    const url = `${location.origin}${pathOfRequest(operation, request)}`;
    return form === 'curl' ? curlCall(url) : fetchCall(url);
  };
  return (
    <div className={styles.code}>
      <CollapsibleSection
        title={t('asCode.title')}
        summary={t('asCode.summary')}
        opened={opened}
        onToggle={() => setOpened(!opened)}
      >
        {opened ? (
          <div className={styles.content}>
            <SegmentedControl
              size="xs"
              aria-label={t('asCode.form')}
              value={form}
              onChange={(value) => setForm(value as (typeof FORMS)[number])}
              data={[
                { value: 'json', label: 'JSON' },
                { value: 'curl', label: 'curl' },
                { value: 'fetch', label: 'fetch' },
              ]}
            />
            <CopyBlock label={t('asCode.title')} text={text()} />
            <p className={styles.hint}>
              {form === 'json' ? t('asCode.masked') : t('asCode.key', { scope: operation.scope ?? '' })}
            </p>
          </div>
        ) : null}
      </CollapsibleSection>
    </div>
  );
}
