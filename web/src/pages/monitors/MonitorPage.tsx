import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SERIES_RANGES, type SeriesRange } from '#src/domain/names.ts';
import { getMonitor, type Monitor } from '#src/monitors/contract.ts';
import { getSeries, type Series } from '#src/series/contract.ts';
import { read } from '#web/read.ts';
import { remember, remembered } from '#web/remembered.ts';
import { chooseProject, useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { ExampleNotice } from '../examples/ExampleNotice.tsx';
import { SeeAnOutage } from '../examples/SeeAnOutage.tsx';
import { DisabledNotice } from './DisabledNotice.tsx';
import { AlarmPanel } from './detail/AlarmPanel.tsx';
import { AlarmPlanAtFirst, AlarmPlanPanel } from './detail/AlarmPlanPanel.tsx';
import { ChangePanel } from './detail/ChangePanel.tsx';
import { Figures } from './detail/Figures.tsx';
import { GroupPanel } from './detail/GroupPanel.tsx';
import { HeartbeatPanel } from './detail/HeartbeatPanel.tsx';
import { MonitorHead } from './detail/MonitorHead.tsx';
import { MonitorIncidents } from './detail/MonitorIncidents.tsx';
import { measuredMetric } from './detail/measured-metric.ts';
import { PhasesPanel } from './detail/PhasesPanel.tsx';
import { RecentChecks } from './detail/RecentChecks.tsx';
import { RegionLines } from './detail/RegionLines.tsx';
import { ResponseChart } from './detail/ResponseChart.tsx';
import styles from './MonitorPage.module.css';
import { isRegionless } from './monitor-types.ts';
import { NoDataNotice } from './NoData.tsx';
import { pollEvery } from './poll-every.ts';
import { metricName } from './types/agent/metric-words.ts';

export default function MonitorPage() {
  const { monitorId } = useParams({ from: '/signed-in/o/$orgId/monitors/$monitorId' });
  const monitor = useQuery(read(getMonitor, { params: { monitor_id: monitorId } }));
  const orgId = useOrgId();
  const projectId = monitor.data?.project_id;
  useEffect(() => {
    if (projectId !== undefined) chooseProject(orgId, projectId);
  }, [orgId, projectId]);

  if (monitor.isError) return <Failure error={monitor.error} retry={monitor.refetch} />;
  if (monitor.isPending) return <LoadingRows count={3} height={110} />;
  return <Loaded key={monitorId} monitor={monitor.data} />;
}

/** As a link to a time of the chart names it, else as it was chosen last. */
function initialRange(linked: SeriesRange | undefined): SeriesRange {
  const last = linked ?? remembered('range');
  return SERIES_RANGES.find((range) => range === last) ?? '3h';
}

/** What the curve shows. A group and a job that never says when it starts have nothing but good or bad. */
function curveOf(monitor: Monitor, series: Series | undefined) {
  if (!isRegionless(monitor.type)) return 'responseTime';
  const nothingMeasured = series?.points.every((point) => point.avg_ms === null) ?? monitor.type === 'group';
  if (nothingMeasured) return 'availability';
  return monitor.type === 'heartbeat' ? 'runTime' : 'measured';
}

function Loaded({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const { range: linked } = useSearch({ from: '/signed-in/o/$orgId/monitors/$monitorId' });
  const [range, setRange] = useState(() => initialRange(linked));
  const [serviceMetric, setServiceMetric] = useState<'cpu' | 'mem'>('cpu');
  const isService = monitor.type === 'service';
  const isMade = useRouterState({ select: ({ location }) => location.state.made === monitor.id });
  const regionless = isRegionless(monitor.type);
  const series = useQuery({
    ...read(getSeries, {
      params: { monitor_id: monitor.id },
      query: { range, ...(isService ? { series_metric: serviceMetric } : {}) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: Math.max(10_000, pollEvery(monitor.interval_seconds)),
  });

  const curve = curveOf(monitor, series.data);
  const metric = isService ? `${serviceMetric}_pct` : (measuredMetric(monitor)?.metric ?? null);
  const measuredTitle = metric === null ? t('monitor.measured') : metricName(t, metric);
  return (
    <>
      <MonitorHead monitor={monitor} />
      {monitor.example ? <ExampleNotice orgId={orgId} /> : <DisabledNotice monitor={monitor} />}
      <NoDataNotice monitor={monitor} />
      {isMade && monitor.last_status !== null ? (
        <SeeAnOutage orgId={orgId} projectId={monitor.project_id} />
      ) : null}
      {isMade ? <AlarmPlanAtFirst monitorId={monitor.id} /> : null}
      <div className={styles.grid}>
        {regionless ? null : (
          <div className={styles.whole}>
            <RegionLines monitor={monitor} />
          </div>
        )}
        {monitor.type === 'heartbeat' ? (
          <div className={styles.whole}>
            <HeartbeatPanel monitor={monitor} />
          </div>
        ) : null}
        {monitor.type === 'group' ? (
          <div className={styles.whole}>
            <GroupPanel monitor={monitor} />
          </div>
        ) : null}
        <div className={styles.whole}>
          <Panel
            title={curve === 'measured' ? measuredTitle : t(`monitor.${curve}`)}
            aside={
              <div className={styles.ranges}>
                {isService && curve === 'measured' ? (
                  <SegmentedControl
                    size="xs"
                    aria-label={t('monitor.measured')}
                    value={serviceMetric}
                    onChange={(value) => setServiceMetric(value as 'cpu' | 'mem')}
                    data={(['cpu', 'mem'] as const).map((value) => ({
                      value,
                      label: metricName(t, `${value}_pct`),
                    }))}
                  />
                ) : null}
                <SegmentedControl
                  size="xs"
                  aria-label={t('monitor.range')}
                  value={range}
                  onChange={(value) => {
                    remember('range', value);
                    setRange(value as SeriesRange);
                  }}
                  data={SERIES_RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
                />
              </div>
            }
          >
            {series.isError ? <Failure error={series.error} retry={series.refetch} /> : null}
            {series.isPending ? <LoadingRows count={1} height={340} /> : null}
            {series.isSuccess ? (
              <>
                <Figures stats={series.data.stats} unit={series.data.unit} plain={curve === 'availability'} />
                {curve === 'availability' ? null : <ResponseChart series={series.data} monitor={monitor} />}
              </>
            ) : null}
          </Panel>
        </div>
        <div className={styles.column}>
          {regionless ? null : <PhasesPanel monitor={monitor} />}
          {monitor.example ? null : <ChangePanel monitor={monitor} />}
        </div>
        <AlarmPanel monitor={monitor} />
        {monitor.example ? null : (
          <div className={styles.whole}>
            <AlarmPlanPanel monitorId={monitor.id} />
          </div>
        )}
        <div className={styles.whole}>
          <MonitorIncidents monitorId={monitor.id} />
        </div>
        {monitor.type === 'group' ? null : (
          <div className={styles.whole}>
            <RecentChecks monitor={monitor} />
          </div>
        )}
      </div>
    </>
  );
}
