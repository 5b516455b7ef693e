import { Button, SegmentedControl } from '@mantine/core';
import { IconUrgent } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getIncidentTable, listIncidents } from '#src/incidents/contract.ts';
import { call, callForFile } from '#web/call.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { CsvButton } from '#web/ui/CsvButton.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import panel from '#web/ui/Panel.module.css';
import { ShowMore } from '#web/ui/ShowMore.tsx';
import { FailingTargets } from '../notifications/FailingTargets.tsx';
import { IncidentFilters } from './list/IncidentFilters.tsx';
import { IncidentList } from './list/IncidentList.tsx';
import { type IncidentSearch, isFiltered, matches, readIncidentSearch, SHOWN } from './list/search.ts';

const PAGE = 100;

/** The incidents of the organization, newest first. */
export default function IncidentsPage() {
  const mayAct = useMayAct();
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/o/$orgId/incidents' });
  const status = search.status ?? 'open';
  const pages = useInfiniteQuery({
    queryKey: [listIncidents.id, { org_id: orgId }, { status, limit: PAGE }, 'pages'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(listIncidents, {
        params: { org_id: orgId },
        query: { status, limit: PAGE, ...(pageParam && { before: pageParam }) },
      }),
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const list = pages.data?.pages.flat() ?? [];
  const shown = list.filter((incident) => matches(incident, search));
  const choose = (next: IncidentSearch) =>
    void navigate({ to: '/o/$orgId/incidents', params: { orgId }, search: next, replace: true });

  return (
    <>
      <PageHead title={t('incidents.title')}>
        <SegmentedControl
          aria-label={t('incidents.filter')}
          value={status}
          onChange={(value) => choose(readIncidentSearch({ ...search, status: value }))}
          data={SHOWN.map((value) => ({ value, label: t(`incidents.show.${value}`) }))}
        />
        <CsvButton
          name={`incidents-${status}.csv`}
          get={() =>
            callForFile(getIncidentTable, { params: { org_id: orgId }, query: { ...search, status } })
          }
        />
        {mayAct ? (
          <Button
            variant="default"
            leftSection={<IconUrgent size={17} />}
            renderRoot={(props) => <Link {...props} to="/o/$orgId/incidents/new" params={{ orgId }} />}
          >
            {t('declare.button')}
          </Button>
        ) : null}
      </PageHead>
      <FailingTargets />
      {list.length > 0 || isFiltered(search) ? (
        <IncidentFilters search={search} shown={shown.length} loaded={list.length} onChoose={choose} />
      ) : null}
      {pages.isPending ? <LoadingRows count={5} height={52} /> : null}
      {pages.isError ? <Failure error={pages.error} retry={pages.refetch} /> : null}
      {pages.isSuccess && list.length === 0 ? (
        <Empty title={t(`incidents.none.${status}`)} text={t(`incidents.noneText.${status}`)} />
      ) : null}
      {list.length > 0 && shown.length === 0 ? (
        <Empty title={t('incidents.noneFound')} text={t('incidents.noneFoundText')}>
          <Button variant="default" onClick={() => choose(search.status ? { status: search.status } : {})}>
            {t('incidents.clear')}
          </Button>
        </Empty>
      ) : null}
      {shown.length === 0 ? null : (
        <div className={panel.list}>
          <IncidentList incidents={shown} />
        </div>
      )}
      <ShowMore pages={pages} />
    </>
  );
}
