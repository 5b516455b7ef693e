import { Alert, Button, Select } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportOrganization } from '#src/organization-export/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { callForDownload } from '#web/call.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';
import { useFile } from '#web/ui/use-file.ts';
import styles from './TransferPage.module.css';

const DAYS = ['all', '30', '2'] as const;

export function ExportPanel({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const sentence = useRefusalSentence();
  const file = useFile();
  const [days, setDays] = useState<(typeof DAYS)[number]>('all');
  const slug = useQuery(read(listMyOrganizations, {})).data?.find(({ id }) => id === orgId)?.slug;

  const save = () => {
    const query = days === 'all' ? {} : { checks_days: Number(days) };
    const request = { params: { org_id: orgId }, query };
    const name = `${slug ?? orgId}-${new Date().toISOString().slice(0, 10)}.jsonl`;
    return file.save((onBytes) => callForDownload(exportOrganization, request, onBytes), name);
  };

  return (
    <Panel title={t('transfer.export.title')}>
      <div className={styles.parts}>
        <p className={styles.text}>{t('transfer.export.text')}</p>
        <p className={styles.warning}>{t('transfer.export.secrets')}</p>
        <div className={styles.actions}>
          <Select
            className={styles.days}
            label={t('transfer.export.checks')}
            allowDeselect={false}
            disabled={file.busy}
            data={DAYS.map((value) => ({ value, label: t(`transfer.export.days.${value}`) }))}
            value={days}
            onChange={(value) => setDays(DAYS.find((each) => each === value) ?? 'all')}
          />
          <Button
            data-lead="export"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            loading={file.busy}
            onClick={() => void save()}
          >
            {t('transfer.export.button')}
          </Button>
        </div>
        <p className={styles.progress} role="status">
          {file.busy ? t('transfer.export.busy', { size: formats.megabytes(file.bytes) }) : null}
          {file.saved === null ? null : t('transfer.export.done', { name: file.saved })}
        </p>
        {file.error === null ? null : (
          <Alert color="red" role="alert">
            {sentence(file.error)}
          </Alert>
        )}
        <p className={styles.quiet}>{t('transfer.export.moving')}</p>
      </div>
    </Panel>
  );
}
