import { Box, Button } from '@mantine/core';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { getActivityTable, listActivity } from '#src/activity/contract.ts';
import { call, callForFile } from '#web/call.ts';
import { AdministratorsOnly } from '#web/shell/AdministratorsOnly.tsx';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { CsvButton } from '#web/ui/CsvButton.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ShowMore } from '#web/ui/ShowMore.tsx';
import { ActivityDays } from './ActivityDays.tsx';
import { ActivityFilters } from './ActivityFilters.tsx';
import { type ActivitySearch, activityQuery } from './search.ts';

const PAGE = 50;

export default function ActivityPage() {
  return (
    <AdministratorsOnly page="activity">
      <Activity />
    </AdministratorsOnly>
  );
}

function Activity() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/o/$orgId/settings/activity' });
  // To the minute, so that equal filters keep the same query key for a while.
  const query = useMemo(() => activityQuery(search, Math.floor(Date.now() / 60_000) * 60), [search]);
  const pages = useInfiniteQuery({
    queryKey: [listActivity.id, { org_id: orgId }, query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(listActivity, {
        params: { org_id: orgId },
        query: { ...query, limit: PAGE, ...(pageParam && { before: pageParam }) },
      }),
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
  });
  const entries = pages.data?.pages.flat() ?? [];
  const isFiltered = Object.keys(search).length > 0;

  const choose = (next: ActivitySearch) =>
    void navigate({ to: '/o/$orgId/settings/activity', params: { orgId }, search: next, replace: true });

  return (
    <>
      <PageHead title={t('activity.title')} below={t('activity.lead')}>
        <CsvButton
          name="activity.csv"
          get={() => callForFile(getActivityTable, { params: { org_id: orgId }, query })}
        />
      </PageHead>
      <ActivityFilters search={search} entries={entries} onChoose={choose} />
      {pages.isPending ? <LoadingRows count={8} height={42} /> : null}
      {pages.isError ? <Failure error={pages.error} retry={pages.refetch} /> : null}
      {pages.isSuccess && entries.length === 0 ? (
        isFiltered ? (
          <Empty title={t('activity.noneFound')} text={t('activity.noneFoundText')}>
            <Button variant="default" onClick={() => choose({})}>
              {t('activity.clear')}
            </Button>
          </Empty>
        ) : (
          <Empty title={t('activity.none')} text={t('activity.noneText')} />
        )
      ) : null}
      {entries.length === 0 ? null : (
        <Box opacity={pages.isPlaceholderData ? 0.6 : undefined} aria-busy={pages.isPlaceholderData}>
          <ActivityDays entries={entries} onFilter={(filter) => choose({ ...search, ...filter })} />
        </Box>
      )}
      <ShowMore pages={pages} />
    </>
  );
}
