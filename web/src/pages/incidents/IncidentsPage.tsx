import { Button, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listIncidents } from '../../../../src/incidents/contract.ts';
import { read } from '../../read.ts';
import { useOrgId } from '../../shell/chosen-project.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { LoadingRows } from '../../ui/LoadingRows.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import styles from './IncidentsPage.module.css';
import { IncidentTable } from './IncidentTable.tsx';

const CHOICES = ['open', 'closed', 'all'] as const;
const PAGE = 100;

export default function IncidentsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const status = useSearch({ from: '/signed-in/o/$orgId/incidents' }).status ?? 'open';
  const [limit, setLimit] = useState(PAGE);
  const incidents = useQuery({
    ...read(listIncidents, { params: { org_id: orgId }, query: { status, limit } }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const list = incidents.data ?? [];

  return (
    <>
      <PageHead title={t('incidents.title')}>
        <SegmentedControl
          aria-label={t('incidents.filter')}
          value={status}
          onChange={(value) => {
            setLimit(PAGE);
            void navigate({
              to: '/o/$orgId/incidents',
              params: { orgId },
              search: value === 'open' ? {} : { status: value as 'closed' | 'all' },
            });
          }}
          data={CHOICES.map((value) => ({ value, label: t(`incidents.show.${value}`) }))}
        />
      </PageHead>
      {incidents.isPending ? <LoadingRows count={5} height={52} /> : null}
      {incidents.isError ? <Failure error={incidents.error} retry={incidents.refetch} /> : null}
      {incidents.isSuccess && list.length === 0 ? (
        <Empty title={t(`incidents.none.${status}`)} text={t(`incidents.noneText.${status}`)} />
      ) : null}
      {list.length === 0 ? null : (
        <div className={styles.list}>
          <IncidentTable incidents={list} />
        </div>
      )}
      {list.length >= limit && limit < 1_000 ? (
        <div className={styles.more}>
          <Button
            variant="default"
            loading={incidents.isPlaceholderData}
            onClick={() => setLimit(Math.min(1_000, limit + 200))}
          >
            {t('ui.more')}
          </Button>
        </div>
      ) : null}
    </>
  );
}
