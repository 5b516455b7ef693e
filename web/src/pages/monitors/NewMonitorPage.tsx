import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { createMonitor, listMonitors } from '../../../../src/monitors/contract.ts';
import { listRegions } from '../../../../src/regions/contract.ts';
import { call } from '../../call.ts';
import { everyRead, queryClient, read } from '../../read.ts';
import { useChosenProject, useOrgId } from '../../shell/chosen-project.ts';
import { Failure } from '../../ui/Failure.tsx';
import { LoadingRows } from '../../ui/LoadingRows.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { MonitorForm } from './form/MonitorForm.tsx';
import { configOf, type MonitorValues, NEW_MONITOR, policyOf } from './form/values.ts';

export default function NewMonitorPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigate();
  const { project } = useChosenProject();
  const regions = useQuery(read(listRegions, {}));
  const usable = regions.data?.filter((region) => !region.internal) ?? [];
  const back = () => navigate({ to: '/o/$orgId/monitors', params: { orgId } });

  async function create(values: MonitorValues) {
    if (project === undefined) return;
    const made = await call(createMonitor, {
      params: { project_id: project.id },
      body: {
        name: values.name.trim() === '' ? nameOf(values.config.url) : values.name.trim(),
        type: 'http',
        config: configOf(values),
        interval_seconds: values.interval_seconds === '' ? null : values.interval_seconds,
        regions: values.regions,
        policy: policyOf(values),
      },
    });
    await queryClient.invalidateQueries({ queryKey: everyRead(listMonitors) });
    await navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId: made.id } });
  }

  return (
    <>
      <PageHead title={t('monitors.new')} above={project?.name} />
      {regions.isError ? <Failure error={regions.error} retry={regions.refetch} /> : null}
      {regions.isPending || project === undefined ? <LoadingRows count={4} height={60} /> : null}
      {regions.isSuccess && project !== undefined ? (
        <MonitorForm
          // The first region is checked from unless more are chosen, as the interface's default does.
          initial={{ ...NEW_MONITOR, regions: usable.slice(0, 1).map((region) => region.slug) }}
          stored={null}
          submitLabel={t('monitors.create')}
          onSubmit={create}
          onCancel={() => void back()}
        />
      ) : null}
    </>
  );
}

/** Without a name the address names the monitor. */
function nameOf(url: string): string {
  return url
    .trim()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .slice(0, 200);
}
