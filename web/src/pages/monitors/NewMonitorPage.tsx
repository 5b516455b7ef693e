import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorType } from '#src/domain/names.ts';
import { createMonitor } from '#src/monitors/contract.ts';
import { listRegions, type Region } from '#src/regions/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { read } from '#web/read.ts';
import { useChosenProject, useOrgId } from '#web/shell/chosen-project.ts';
import { EMPTY_LINE } from '#web/ui/empty-line.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { defaultRegion } from './default-region.ts';
import { MonitorForm } from './form/MonitorForm.tsx';
import { creationOf, type MonitorValues, newMonitor } from './form/values.ts';
import { isRegionless } from './monitor-types.ts';
import styles from './NewMonitorPage.module.css';
import { ProposeMonitors } from './propose/ProposeMonitors.tsx';
import { TypePicker } from './TypePicker.tsx';
import { isOffered } from './types.ts';
import { useTypeForm } from './use-type-form.ts';

/** Two steps: choose the type, then fill in its form. */
export default function NewMonitorPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { query: projects, project } = useChosenProject();
  const { type } = useSearch({ from: '/signed-in/o/$orgId/managing/monitors/new' });
  const regions = useQuery(read(listRegions, {}));
  if (type !== undefined && isOffered(type)) return <NewOfType key={type} type={type} />;
  const region = defaultRegion(regions.data ?? []);
  return (
    <>
      <PageHead title={t('monitors.new')} above={project?.name ?? EMPTY_LINE}>
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/o/$orgId/monitors/import" params={{ orgId }} {...props} />}
        >
          {t('importing.open')}
        </Button>
      </PageHead>
      {isFirstRead(projects, regions) ? (
        <LoadingRows count={4} height={110} />
      ) : (
        <>
          {project === undefined || region === undefined ? null : (
            <ProposeMonitors key={project.id} projectId={project.id} region={region.slug} />
          )}
          <h2 className={styles.other}>{t('types.choose')}</h2>
          <TypePicker />
        </>
      )}
    </>
  );
}

function NewOfType({ type }: { type: MonitorType }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { project } = useChosenProject();
  const regions = useQuery(read(listRegions, {}));
  return (
    <>
      <PageHead
        title={t('types.newOf', { type: t(`types.${type}.name`) })}
        above={project?.name ?? EMPTY_LINE}
        below={
          <>
            {t(`types.${type}.what`)}{' '}
            <Link to="/o/$orgId/monitors/new" params={{ orgId }}>
              {t('types.another')}
            </Link>
          </>
        }
      />
      {regions.isError ? <Failure error={regions.error} retry={regions.refetch} /> : null}
      {regions.isPending || project === undefined ? <LoadingRows count={4} height={60} /> : null}
      {regions.isSuccess && project !== undefined ? (
        <Suspense fallback={<LoadingRows count={4} height={60} />}>
          <NewForm type={type} projectId={project.id} regions={regions.data} />
        </Suspense>
      ) : null}
    </>
  );
}

type NewFormProps = { type: MonitorType; projectId: string; regions: readonly Region[] };

function NewForm({ type, projectId, regions }: NewFormProps) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const form = useTypeForm(type);
  const navigate = useNavigateWhileShown();
  const first = defaultRegion(regions);

  async function create(values: MonitorValues, suggestedName: string) {
    const body = creationOf(form, values, suggestedName);
    const made = await send(createMonitor, { params: { project_id: projectId }, body });
    await navigate({
      to: '/o/$orgId/monitors/$monitorId',
      params: { orgId, monitorId: made.id },
      state: { made: made.id },
    });
  }

  return (
    <MonitorForm
      of={form}
      initial={{
        ...newMonitor(form),
        regions: isRegionless(type) || first === undefined ? [] : [first.slug],
      }}
      edited={null}
      projectId={projectId}
      submitLabel={t('monitors.create')}
      onSubmit={create}
      onCancel={() => void navigate({ to: '/o/$orgId/monitors', params: { orgId } })}
    />
  );
}
