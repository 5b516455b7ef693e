import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getIncident, type IncidentDetail } from '../../../../src/incidents/contract.ts';
import { useFormats } from '../../format.ts';
import { read } from '../../read.ts';
import { Failure } from '../../ui/Failure.tsx';
import { LoadingRows } from '../../ui/LoadingRows.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Lasted, Moment } from '../../ui/Times.tsx';
import { EvidenceChecks } from './EvidenceChecks.tsx';
import { EvidenceStory } from './EvidenceStory.tsx';
import { IncidentActions } from './IncidentActions.tsx';
import styles from './IncidentPage.module.css';
import { IncidentStatus } from './IncidentStatus.tsx';
import { Timeline } from './Timeline.tsx';

export default function IncidentPage() {
  const { orgId, incidentId } = useParams({ from: '/signed-in/o/$orgId/incidents/$incidentId' });
  const params = { org_id: orgId, incident_id: incidentId };
  const incident = useQuery(read(getIncident, { params }));
  if (incident.isError) return <Failure error={incident.error} retry={incident.refetch} />;
  if (incident.isPending) return <LoadingRows count={3} height={110} />;
  return <Loaded orgId={orgId} incident={incident.data} />;
}

function Loaded({ orgId, incident }: { orgId: string; incident: IncidentDetail }) {
  const { t } = useTranslation();
  return (
    <>
      <PageHead
        title={incident.monitor_name ?? incident.cause}
        above={
          <Link to="/o/$orgId/incidents" params={{ orgId }} className={styles.back}>
            {t('incidents.title')}
          </Link>
        }
        below={<p className={styles.summary}>{incident.summary || incident.cause}</p>}
      >
        <IncidentActions orgId={orgId} incident={incident} />
      </PageHead>
      <Facts orgId={orgId} incident={incident} />
      <div className={styles.grid}>
        <div className={styles.main}>
          {incident.evidence === null ? null : (
            <>
              <EvidenceStory incident={incident} evidence={incident.evidence} />
              <EvidenceChecks checks={incident.evidence.checks} />
            </>
          )}
        </div>
        <Timeline orgId={orgId} incidentId={incident.id} />
      </div>
    </>
  );
}

function Facts({ orgId, incident }: { orgId: string; incident: IncidentDetail }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const open = incident.status === 'open';
  const severity = `incidents.severity.${incident.severity}`;
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('incidents.status')}</dt>
        <dd aria-live="polite">
          <IncidentStatus open={open} acknowledged={incident.acknowledged_at_unix !== null} />
        </dd>
      </div>
      <div>
        <dt>{t('incidents.started')}</dt>
        <dd>
          <Moment unix={incident.started_at_unix} />
        </dd>
      </div>
      <div>
        <dt>{t(open ? 'incidents.lastingSince' : 'incidents.lasted')}</dt>
        <dd>
          <Lasted from={incident.started_at_unix} to={incident.resolved_at_unix} />
        </dd>
      </div>
      {incident.region_count === 0 ? null : (
        <div>
          <dt>{t('incidents.regions')}</dt>
          <dd>
            {t('incidents.regionsDown', { down: incident.down_regions.length, total: incident.region_count })}
            <span className={styles.quiet}> {formats.list(incident.down_regions)}</span>
          </dd>
        </div>
      )}
      <div>
        <dt>{t('incidents.severityLabel')}</dt>
        <dd>{i18n.exists(severity) ? t(severity as 'incidents.severity.critical') : incident.severity}</dd>
      </div>
      {incident.acknowledged_at_unix === null ? null : (
        <div>
          <dt>{t('incidents.word.acknowledged')}</dt>
          <dd>
            <Moment unix={incident.acknowledged_at_unix} />
            <span className={styles.quiet}> {incident.acknowledged_by_email ?? ''}</span>
          </dd>
        </div>
      )}
      {incident.monitor_id === '' ? null : (
        <div>
          <dt>{t('incidents.monitor')}</dt>
          <dd>
            <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: incident.monitor_id }}>
              {incident.monitor_name}
            </Link>
          </dd>
        </div>
      )}
    </dl>
  );
}
