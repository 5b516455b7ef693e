import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorType } from '#src/domain/names.ts';
import { getMonitor, type Monitor, updateMonitor } from '#src/monitors/contract.ts';
import { listRegions, type Region } from '#src/regions/contract.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
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
  const navigate = useNavigateWhileShown();
  const orgId = useOrgId();
  const form = useTypeForm(type);
  const params = { orgId, monitorId: monitor.id };
  const inType = (of: Monitor) => valuesInType(form, of, defaultRegion(regions)?.slug);
  const [begun] = useState(() => inType(monitor));
  const leave = () => navigate({ to: '/o/$orgId/monitors/$monitorId', params });

  async function save(
    values: MonitorValues,
    _: string,
    { base, admits, together }: Meanwhile<MonitorValues>,
  ) {
    const current = read(getMonitor, { params: { monitor_id: monitor.id } });
    const { queryKey } = current;
    const now = inType(await queryClient.fetchQuery({ ...current, staleTime: 0 }));
    if (!admits(values, now)) return;
    const body = typeChange(form, together(values, now), base);
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
      stored={inType(monitor)}
      edited={monitor}
      projectId={monitor.project_id}
      submitLabel={t('changeType.save')}
      onSubmit={save}
      onCancel={() => void leave()}
    />
  );
}
