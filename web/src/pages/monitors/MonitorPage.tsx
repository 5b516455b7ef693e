import { useQuery } from '@tanstack/react-query';
import { useParams, useRouterState } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listRegionStatuses } from '#src/checks/contract.ts';
import { getMonitor, type Monitor } from '#src/monitors/contract.ts';
import { AsCode } from '#web/as-code/AsCode.tsx';
import { isFirstRead } from '#web/first-read.ts';
import { isMissing } from '#web/missing.ts';
import { read } from '#web/read.ts';
import { chooseProject, useOrgId } from '#web/shell/chosen-project.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { ExampleNotice } from '../examples/ExampleNotice.tsx';
import { OfferExampleOutage } from '../examples/OfferExampleOutage.tsx';
import { DisabledNotice } from './DisabledNotice.tsx';
import { AlarmPanel } from './detail/AlarmPanel.tsx';
import { AlarmPlanPanel, NewMonitorAlarmPlan } from './detail/AlarmPlanPanel.tsx';
import { ChangePanel } from './detail/ChangePanel.tsx';
import { ChartPanel } from './detail/chart/ChartPanel.tsx';
import { WeekPanel } from './detail/chart/WeekPanel.tsx';
import { GroupPanel } from './detail/GroupPanel.tsx';
import { HeartbeatPanel } from './detail/HeartbeatPanel.tsx';
import { MonitorHead } from './detail/MonitorHead.tsx';
import { MonitorIncidents } from './detail/MonitorIncidents.tsx';
import { PhasesPanel } from './detail/PhasesPanel.tsx';
import { RecentChecks } from './detail/RecentChecks.tsx';
import { RegionLines } from './detail/RegionLines.tsx';
import { UptimeTop } from './detail/UptimeTop.tsx';
import styles from './MonitorPage.module.css';
import { isRegionless } from './monitor-types.ts';
import { NoDataNotice } from './NoData.tsx';

export default function MonitorPage() {
  const { t } = useTranslation();
  const { monitorId } = useParams({ from: '/signed-in/o/$orgId/monitors/$monitorId' });
  const monitor = useQuery(read(getMonitor, { params: { monitor_id: monitorId } }));
  const orgId = useOrgId();
  const projectId = monitor.data?.project_id;
  useEffect(() => {
    if (projectId !== undefined) chooseProject(orgId, projectId);
  }, [orgId, projectId]);

  if (monitor.data === undefined || isMissing(monitor.error))
    return (
      <PagePlaceholder
        query={monitor}
        title={t('incidents.monitor')}
        gone={t('monitor.gone')}
        back={
          <BackLink to="/o/$orgId/monitors" params={{ orgId }}>
            {t('monitors.title')}
          </BackLink>
        }
      />
    );
  return <Loaded key={monitorId} monitor={monitor.data} />;
}

function Loaded({ monitor }: { monitor: Monitor }) {
  const orgId = useOrgId();
  const isMade = useRouterState({ select: ({ location }) => location.state.made === monitor.id });
  const regionless = isRegionless(monitor.type);
  // What comes later must not push away what stands below it; that is read meanwhile, and shown afterwards.
  const statuses = useQuery({
    ...read(listRegionStatuses, { params: { monitor_id: monitor.id } }),
    enabled: !regionless,
  });
  const areLinesRead = !isFirstRead(statuses);
  const [isChartRead, setChartRead] = useState(false);
  const showRest = useCallback(() => setChartRead(true), []);
  const isWhole = areLinesRead && isChartRead;
  return (
    <>
      <MonitorHead monitor={monitor} />
      {monitor.example ? <ExampleNotice orgId={orgId} /> : <DisabledNotice monitor={monitor} />}
      <NoDataNotice monitor={monitor} />
      {isMade && monitor.last_status !== null ? <OfferExampleOutage orgId={orgId} /> : null}
      {isMade ? <NewMonitorAlarmPlan monitorId={monitor.id} /> : null}
      <div className={styles.grid}>
        <div className={styles.whole}>
          <UptimeTop monitorId={monitor.id} />
        </div>
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
        <div className={styles.whole} hidden={!areLinesRead}>
          <ChartPanel monitor={monitor} onRead={showRest} />
        </div>
      </div>
      <div className={`${styles.grid} ${styles.rest}`} hidden={!isWhole}>
        <div className={styles.whole}>
          <MonitorIncidents monitorId={monitor.id} />
        </div>
        <div className={styles.whole}>
          <WeekPanel monitor={monitor} />
        </div>
        {monitor.type === 'group' ? null : (
          <div className={styles.whole}>
            <RecentChecks monitor={monitor} />
          </div>
        )}
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
      </div>
      <div hidden={!isWhole}>
        <AsCode operation={getMonitor} request={{ params: { monitor_id: monitor.id } }} shown={monitor} />
      </div>
    </>
  );
}
