import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listMonitorViews } from '#src/monitors/views/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { read } from '#web/read.ts';
import { useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { displayState } from '#web/ui/StatusGlyph.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useWithoutDeleted } from '#web/undoable.ts';
import { isMonitorType } from '../monitor-types.ts';
import { AllMonitorsList } from './AllMonitorsList.tsx';
import { AllMonitorsTools } from './AllMonitorsTools.tsx';
import { BulkBar } from './BulkBar.tsx';
import {
  type AllSearch,
  arranged,
  isNarrowed,
  type Line,
  layoutOf,
  matchesFilters,
  readAllSearch,
  unknownProject,
} from './search.ts';
import { useAllMonitors } from './use-all-monitors.ts';
import { SavedViews } from './views/SavedViews.tsx';

const NONE: ReadonlySet<string> = new Set();

/** The monitors of all projects, with search, grouping and bulk changes. */
export default function AllMonitorsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const mayManage = useMayManage();
  const search = useSearch({ from: '/signed-in/o/$orgId/monitors/all' });
  const { projects } = useChosenProject();
  const monitors = useAllMonitors(orgId);
  const views = useQuery(read(listMonitorViews, { params: { org_id: orgId } }));
  const isPending = monitors.isPending || isFirstRead(views);
  const now = useNow();
  const [picked, setPicked] = useState(NONE);

  const staying = useWithoutDeleted(monitors.data);
  const lines = useMemo(
    (): Line[] => staying.map((monitor) => ({ monitor, state: displayState(monitor, now) })),
    [staying, now],
  );
  const passing = useMemo(() => lines.filter((line) => matchesFilters(line, search)), [lines, search]);
  const shown = useMemo(
    () => passing.filter(({ state }) => search.state === undefined || state === search.state),
    [passing, search.state],
  );
  const names = useMemo(() => new Map(projects.map(({ id, name }) => [id, name])), [projects]);
  const items = useMemo(() => {
    return arranged(shown, search, {
      project: (id) => names.get(id) ?? id,
      type: (type) => (isMonitorType(type) ? t(`types.${type}.name`) : type),
      untagged: t('allMonitors.untagged'),
    });
  }, [shown, search, names, t]);
  // Deselect hidden monitors, so that a bulk change cannot hit them by accident.
  const chosen = useMemo(
    () => shown.map(({ monitor }) => monitor).filter(({ id }) => picked.has(id)),
    [shown, picked],
  );

  const choose = (next: AllSearch) =>
    void navigate({ to: '/o/$orgId/monitors/all', params: { orgId }, search: next, replace: true });

  return (
    <>
      <PageHead title={t('allMonitors.title')}>
        {mayManage ? (
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => <Link to="/o/$orgId/monitors/new" params={{ orgId }} {...props} />}
          >
            {t('monitors.new')}
          </Button>
        ) : null}
      </PageHead>
      {isPending && !monitors.isError ? <LoadingRows count={8} height={44} /> : null}
      {monitors.isError ? <Failure error={monitors.error} retry={monitors.refetch} /> : null}
      {monitors.isSuccess && lines.length === 0 && !isPending ? (
        <Empty title={t('monitors.none')} text={t(mayManage ? 'allMonitors.noneText' : 'ui.readOnly')} />
      ) : null}
      {lines.length === 0 || isPending ? null : (
        <>
          <SavedViews search={search} views={views.data ?? []} />
          <AllMonitorsTools
            search={search}
            lines={lines}
            passing={passing}
            shown={shown.length}
            onChoose={choose}
          />
          {unknownProject(search, projects) !== undefined ? (
            <Empty title={t('allMonitors.unknownProject')} text={t('allMonitors.unknownProjectText')}>
              <Button variant="default" onClick={() => choose(readAllSearch({ ...search, project: null }))}>
                {t('allMonitors.clearProject')}
              </Button>
            </Empty>
          ) : shown.length === 0 ? (
            <Empty title={t('monitors.nothingMatches')}>
              {isNarrowed(search) ? (
                <Button variant="default" onClick={() => choose(layoutOf(search))}>
                  {t('monitors.showAll')}
                </Button>
              ) : null}
            </Empty>
          ) : (
            <AllMonitorsList
              items={items}
              count={shown.length}
              projects={names}
              picked={mayManage ? picked : null}
              onPick={setPicked}
            />
          )}
        </>
      )}
      {chosen.length === 0 ? null : <BulkBar chosen={chosen} onClear={() => setPicked(NONE)} />}
    </>
  );
}
