import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { Duration, Moment } from '#web/ui/Times.tsx';
import styles from './IncidentPage.module.css';
import { IncidentStatus, wordOf } from './IncidentStatus.tsx';

/** The state of an incident in one line: state, times, regions, severity, who acknowledged it. */
export function IncidentFacts({ orgId, incident }: { orgId: string; incident: IncidentDetail }) {
  const { t, i18n } = useTranslation();
  const formats = useFormats();
  const open = incident.status === 'open';
  const severity = `incidents.severity.${incident.severity}`;
  const level = `declare.levels.${incident.severity_level}`;
  const taker = incident.acknowledged_by_name || incident.acknowledged_by_email;
  const commander = incident.commander_name || incident.commander_email;
  const firstFailure = incident.evidence?.first_failure_at_unix ?? null;
  return (
    <dl className={styles.facts}>
      <Fact label={t('incidents.status')} live>
        <IncidentStatus word={wordOf(incident)} />
      </Fact>
      <Fact label={t('incidents.started')}>
        <Moment unix={incident.started_at_unix} />
      </Fact>
      {firstFailure === null || firstFailure >= incident.started_at_unix ? null : (
        <Fact label={t('incidents.firstFailure')}>
          <Moment unix={firstFailure} />
        </Fact>
      )}
      <Fact label={t(open ? 'incidents.lastingSince' : 'incidents.lasted')}>
        <Duration from={incident.started_at_unix} to={incident.resolved_at_unix} />
      </Fact>
      {incident.region_count <= 1 || incident.evidence === null ? null : (
        <Fact label={t('incidents.regions')}>
          {t('incidents.regionsDown', { down: incident.down_regions.length, total: incident.region_count })}
          <span className={styles.quiet}> {formats.list(incident.down_regions)}</span>
        </Fact>
      )}
      <Fact label={t('incidents.severityLabel')}>
        {i18n.exists(severity) ? t(severity as 'incidents.severity.critical') : incident.severity}
      </Fact>
      {incident.severity_level === null ? null : (
        <Fact label={t('declare.level')}>
          {i18n.exists(level) ? t(level as 'declare.levels.sev1') : incident.severity_level}
        </Fact>
      )}
      {incident.acknowledged_at_unix === null ? null : (
        <Fact label={t('incidents.word.acknowledged')}>
          <Moment unix={incident.acknowledged_at_unix} />
          <span className={styles.quiet}> {taker ?? ''}</span>
        </Fact>
      )}
      {commander === null || commander === taker ? null : (
        <Fact label={t('incidents.commander')}>{commander}</Fact>
      )}
      {incident.monitor_id === '' || incident.monitor_name === null ? null : (
        <Fact label={t('incidents.monitor')}>
          <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: incident.monitor_id }}>
            {incident.monitor_name}
          </Link>
        </Fact>
      )}
      {incident.group_id === null ? null : (
        <Fact label={t('incidents.stormLabel')}>
          <Link to="/o/$orgId/incidents" params={{ orgId }} search={{ status: 'all' }}>
            {incident.group_name ?? t('incidents.stormUnnamed')}
          </Link>
        </Fact>
      )}
      {incident.project_name === null ? null : (
        <Fact label={t('incidents.project')}>{incident.project_name}</Fact>
      )}
    </dl>
  );
}

function Fact({ label, live = false, children }: { label: string; live?: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd aria-live={live ? 'polite' : undefined}>{children}</dd>
    </div>
  );
}
