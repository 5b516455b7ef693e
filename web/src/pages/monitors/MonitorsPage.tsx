import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { IconList, IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listRecentChecks } from '#src/checks/contract.ts';
import { MONITOR_STATES } from '#src/domain/names.ts';
import { listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { chooseProject, useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { type DisplayState, displayState } from '#web/ui/StatusGlyph.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useUrlText } from '#web/ui/use-url-text.ts';
import { useWithoutDeleted } from '#web/undoable.ts';
import { readListSearch } from './all/search.ts';
import { FirstMonitor } from './FirstMonitor.tsx';
import { FirstSteps } from './FirstSteps.tsx';
import { hasWords } from './has-words.ts';
import { MonitorRow, type RecentChecks } from './MonitorRow.tsx';
import styles from './MonitorsPage.module.css';
import { pollEvery } from './poll-every.ts';
import { targetOf } from './types.ts';
import { useFirstSteps } from './use-first-steps.ts';

const NO_CHECKS: RecentChecks = [];
const ALL = 'all';
type Line = { monitor: Monitor; state: DisplayState };

/** Failing monitors first, then by name. */
function byUrgency(a: Line, b: Line): number {
  return (
    MONITOR_STATES.indexOf(a.state) - MONITOR_STATES.indexOf(b.state) ||
    a.monitor.name.localeCompare(b.monitor.name)
  );
}

const wordsOf = ({ name, type, tags, regions }: Monitor, target: string): string =>
  [name, target, type, ...tags, ...regions].join(' ');

export default function MonitorsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { query, project } = useChosenProject();
  const mayManage = useMayManage();

  if (query.isError) {
    return (
      <>
        <PageHead title={t('monitors.title')} />
        <Failure error={query.error} retry={query.refetch} />
      </>
    );
  }
  if (query.isSuccess && project === undefined) {
    return (
      <>
        <PageHead title={t('monitors.title')} />
        {mayManage ? (
          <Empty title={t('monitors.noProject')} text={t('monitors.noProjectText')}>
            <Button renderRoot={(props) => <Link to="/o/$orgId/projects" params={{ orgId }} {...props} />}>
              {t('projects.create')}
            </Button>
          </Empty>
        ) : (
          <Empty title={t('monitors.noProject')} text={t('ui.readOnly')} />
        )}
      </>
    );
  }
  if (project === undefined) return <LoadingRows count={8} />;
  return <ProjectMonitors key={project.id} projectId={project.id} />;
}

function ProjectMonitors({ projectId }: { projectId: string }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const { projects } = useChosenProject();
  const formats = useFormats();
  const now = useNow();
  const navigate = useNavigate();
  const search = useSearch({ from: '/signed-in/o/$orgId/monitors' });
  const { text = '', state: filter } = search;
  /** In the URL, so that it is restored on return from a monitor. */
  const choose = (changed: Record<string, unknown>) =>
    void navigate({
      to: '/o/$orgId/monitors',
      params: { orgId },
      search: readListSearch({ ...search, ...changed }),
      replace: true,
    });
  const [typed, type] = useUrlText(text, (next) => choose({ text: next }));
  const params = { project_id: projectId };
  const monitors = useQuery({
    ...read(listMonitors, { params, query: MAX_PAGE }),
    refetchInterval: 60_000,
  });
  const recent = useQuery({
    ...read(listRecentChecks, { params, query: { limit: 30 } }),
    refetchInterval: pollEvery(...(monitors.data ?? [])),
  });
  const firstSteps = useFirstSteps(orgId);
  const isPending = monitors.isPending || firstSteps.isPending;
  const checksOf = new Map(recent.data?.map((entry) => [entry.monitor_id, entry.checks]));

  const staying = useWithoutDeleted(monitors.data);
  const all: Line[] = staying.map((monitor) => ({
    monitor,
    state: displayState(monitor, now),
  }));
  const found = all.filter(
    ({ monitor }) => text === '' || hasWords(wordsOf(monitor, targetOf(monitor, t, formats)), text),
  );
  const counts = new Map<DisplayState, number>();
  for (const { state } of found) counts.set(state, (counts.get(state) ?? 0) + 1);
  const shown = found.filter(({ state }) => filter === undefined || state === filter).sort(byUrgency);

  const choices = [
    { value: ALL, label: `${t('monitors.all')} ${formats.integer(found.length)}` },
    ...MONITOR_STATES.filter((state) => counts.has(state) || state === filter).map((state) => ({
      value: state as string,
      label: `${t(`status.${state}`)} ${formats.integer(counts.get(state) ?? 0)}`,
    })),
  ];

  return (
    <>
      <PageHead title={t('monitors.title')}>
        {projects.length < 2 ? null : (
          <Button
            variant="default"
            leftSection={<IconList size={16} />}
            renderRoot={(props) => <Link to="/o/$orgId/monitors/all" params={{ orgId }} {...props} />}
          >
            {t('allMonitors.title')}
          </Button>
        )}
        {(all.length === 0 && !isPending) || !mayManage ? null : (
          <Button
            leftSection={<IconPlus size={16} />}
            renderRoot={(props) => (
              <Link
                to="/o/$orgId/monitors/new"
                params={{ orgId }}
                {...props}
                onClick={() => chooseProject(orgId, projectId)}
              />
            )}
          >
            {t('monitors.new')}
          </Button>
        )}
      </PageHead>
      {isPending && !monitors.isError ? <LoadingRows count={8} height={56} /> : null}
      {monitors.isError ? <Failure error={monitors.error} retry={monitors.refetch} /> : null}
      {monitors.isSuccess && all.length === 0 && !isPending ? (
        mayManage ? (
          <FirstMonitor projectId={projectId} />
        ) : (
          <Empty title={t('monitors.none')} text={t('ui.readOnly')} />
        )
      ) : null}
      {all.length === 0 || isPending ? null : (
        <>
          <FirstSteps orgId={orgId} of={firstSteps} />
          <div className={styles.tools}>
            <TextInput
              className={styles.search}
              leftSection={<IconSearch size={16} />}
              aria-label={t('monitors.search')}
              placeholder={t('monitors.search')}
              type="search"
              value={typed}
              onChange={(event) => type(event.currentTarget.value)}
            />
            <div className={styles.filter}>
              <SegmentedControl
                aria-label={t('monitors.filter')}
                value={filter ?? ALL}
                onChange={(state) => choose({ state })}
                data={choices}
              />
            </div>
          </div>
          {shown.length === 0 ? (
            <Empty title={t('monitors.nothingMatches')}>
              <Button variant="default" onClick={() => choose({ text: undefined, state: undefined })}>
                {t('monitors.showAll')}
              </Button>
            </Empty>
          ) : (
            <ul className={styles.list} aria-label={t('monitors.title')}>
              {shown.map(({ monitor, state }) => (
                <MonitorRow
                  key={monitor.id}
                  monitor={monitor}
                  state={state}
                  checks={checksOf.get(monitor.id) ?? NO_CHECKS}
                />
              ))}
            </ul>
          )}
          {all.length < MAX_PAGE.limit ? null : (
            <p className={styles.more}>
              {t('monitors.newestOnly', { count: MAX_PAGE.limit })}{' '}
              <Link to="/o/$orgId/monitors/all" params={{ orgId }} search={{ project: projectId }}>
                {t('allMonitors.open')}
              </Link>
            </p>
          )}
        </>
      )}
    </>
  );
}
