import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listMonitorIncidents } from '#src/incidents/contract.ts';
import { IncidentRow, IncidentTable } from '#web/pages/incidents/IncidentTable.tsx';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './PhasesPanel.module.css';

/** The incidents of this monitor, newest first. */
export function MonitorIncidents({ monitorId }: { monitorId: string }) {
  const { t } = useTranslation();
  const incidents = useQuery(read(listMonitorIncidents, { params: { monitor_id: monitorId } }));
  const some = (incidents.data?.length ?? 0) > 0;
  return (
    <Panel title={t('incidents.title')} flush={some}>
      {incidents.isPending ? <LoadingRows count={2} /> : null}
      {incidents.isError ? <Failure error={incidents.error} retry={incidents.refetch} /> : null}
      {incidents.isSuccess && !some ? <p className={styles.none}>{t('monitor.noIncidents')}</p> : null}
      {some ? (
        <IncidentTable>
          {incidents.data?.map((incident) => (
            <IncidentRow key={incident.id} incident={incident} showMonitor={false} />
          ))}
        </IncidentTable>
      ) : null}
    </Panel>
  );
}
