import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorType } from '#src/domain/names.ts';
import { getMonitor, type Monitor, updateMonitor } from '#src/monitors/contract.ts';
import { listRegions, type Region } from '#src/regions/contract.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { send } from '#web/write.ts';
import { defaultRegion } from '../default-region.ts';
import { MonitorForm } from '../form/MonitorForm.tsx';
import type { MonitorValues } from '../form/values.ts';
import { useTypeForm } from '../use-type-form.ts';
import { typeChange, valuesInType } from './changed-type.ts';

type Props = { type: MonitorType; monitor: Monitor };

/** An existing monitor in the form of another type. */
export function OtherTypeForm({ type, monitor }: Props) {
  const regions = useQuery(read(listRegions, {}));
  if (regions.isError) return <Failure error={regions.error} retry={regions.refetch} />;
  if (regions.isPending) return <LoadingRows count={4} height={60} />;
  return <Opened type={type} monitor={monitor} regions={regions.data} />;
}

function Opened({ type, monitor, regions }: Props & { regions: readonly Region[] }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const orgId = useOrgId();
  const form = useTypeForm(type);
  const params = { orgId, monitorId: monitor.id };
  const [begun] = useState(() => valuesInType(form, monitor, defaultRegion(regions)?.slug));
  const leave = () => navigate({ to: '/o/$orgId/monitors/$monitorId', params });

  async function save(values: MonitorValues) {
    const { queryKey } = read(getMonitor, { params: { monitor_id: monitor.id } });
    const body = typeChange(form, values, begun);
    // Navigate first: a refetched monitor has its new type, and this form would be replaced.
    await send(updateMonitor, { params: { monitor_id: monitor.id }, body }, async (saved) => {
      await leave();
      queryClient.setQueryData(queryKey, saved);
    });
  }

  return (
    <MonitorForm
      of={form}
      initial={begun}
      edited={monitor}
      projectId={monitor.project_id}
      submitLabel={t('changeType.save')}
      onSubmit={save}
      onCancel={() => void leave()}
    />
  );
}
