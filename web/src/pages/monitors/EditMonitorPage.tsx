import { useQuery } from '@tanstack/react-query';
import { useLocation, useParams, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorType } from '#src/domain/names.ts';
import { getMonitor, type Monitor, updateMonitor } from '#src/monitors/contract.ts';
import { listRegions } from '#src/regions/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { isMissing } from '#web/missing.ts';
import { queryClient, read } from '#web/read.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { ChangeType } from './change-type/ChangeType.tsx';
import { OtherTypeForm } from './change-type/OtherTypeForm.tsx';
import { MonitorForm } from './form/MonitorForm.tsx';
import { changesOf, type MonitorValues, valuesOf } from './form/values.ts';
import { isMonitorType } from './monitor-types.ts';
import { useTypeForm } from './use-type-form.ts';

export default function EditMonitorPage() {
  const { t } = useTranslation();
  const from = '/signed-in/o/$orgId/managing/monitors/$monitorId/edit';
  const { orgId, monitorId } = useParams({ from });
  const { type: wanted } = useSearch({ from });
  const monitor = useQuery({
    ...read(getMonitor, { params: { monitor_id: monitorId } }),
    // A later read must not change the form while it is edited.
    refetchOnWindowFocus: false,
    staleTime: 0,
  });
  // They stand in the middle of the form.
  const regions = useQuery(read(listRegions, {}));
  const isRead = monitor.data !== undefined && monitor.isFetchedAfterMount && !isFirstRead(regions);
  if (!isRead || isMissing(monitor.error))
    return (
      <PagePlaceholder
        query={monitor}
        title={t('ui.edit')}
        gone={t('monitor.gone')}
        back={
          <BackLink to="/o/$orgId/monitors" params={{ orgId }}>
            {t('monitors.title')}
          </BackLink>
        }
      />
    );
  const { name } = monitor.data;
  const type = wanted ?? monitor.data.type;
  return (
    <>
      <PageHead
        title={t('monitors.edit', { name })}
        below={
          isMonitorType(type) ? (
            <>
              {t(type === monitor.data.type ? 'changeType.is' : 'changeType.becomes', {
                type: t(`types.${type}.name`),
              })}{' '}
              <ChangeType monitor={monitor.data} />
            </>
          ) : undefined
        }
      />
      {isMonitorType(type) ? (
        <Suspense fallback={<LoadingRows count={4} height={60} />}>
          {type === monitor.data.type ? (
            <EditForm key={type} type={type} monitor={monitor.data} />
          ) : (
            <OtherTypeForm key={type} type={type} monitor={monitor.data} />
          )}
        </Suspense>
      ) : (
        <Empty title={t('monitors.otherType', { type })} text={t('monitors.otherTypeText')} />
      )}
    </>
  );
}

function EditForm({ type, monitor }: { type: MonitorType; monitor: Monitor }) {
  const { t } = useTranslation();
  const navigate = useNavigateWhileShown();
  const form = useTypeForm(type);
  const { hash } = useLocation();
  const { orgId } = useParams({ from: '/signed-in/o/$orgId' });
  const params = { orgId, monitorId: monitor.id };
  const stored = valuesOf(form, monitor);

  /** Sends what the reader changed, unless somebody else has changed the same. */
  async function save(values: MonitorValues, _: string, { base, admits }: Meanwhile<MonitorValues>) {
    const current = read(getMonitor, { params: { monitor_id: monitor.id } });
    const { queryKey } = current;
    const now = await queryClient.fetchQuery({ ...current, staleTime: 0 });
    // Of another type by now, it gets another form.
    if (now.type !== type || !admits(values, valuesOf(form, now))) return;
    const body = changesOf(form, values, base);
    if (Object.keys(body).length > 0)
      await send(updateMonitor, { params: { monitor_id: monitor.id }, body }, (saved) =>
        queryClient.setQueryData(queryKey, saved),
      );
    await navigate({ to: '/o/$orgId/monitors/$monitorId', params });
  }

  return (
    <MonitorForm
      of={form}
      initial={stored}
      stored={stored}
      edited={monitor}
      projectId={monitor.project_id}
      submitLabel={t('ui.save')}
      onSubmit={save}
      onCancel={() => void navigate({ to: '/o/$orgId/monitors/$monitorId', params })}
      gateOpened={hash === 'gate'}
    />
  );
}
