import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Hold, Overview, RecentIncident, Tile } from '#src/overview/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { Duration, Moment } from '#web/ui/Times.tsx';
import styles from './OverviewPage.module.css';
import { MaintenanceCard, OnCallCard } from './PlannedCards.tsx';
import { UnnotifiedCard, wouldBeNotified } from './UnnotifiedCard.tsx';

const MAX_WITHOUT_DATA = 6;

/** Cards beside the list of failures; a healthy subject gets a line instead of a card. */
export function Cards({ overview, tiles }: { overview: Overview; tiles: readonly Tile[] }) {
  const { t } = useTranslation();
  const { on_call, maintenance, holds, unnotified, recent } = overview;
  const silent = tiles.filter(({ state }) => state === 'no_data' || state === 'cannot_check');
  const well = [
    silent.length === 0 ? t('overview.well.data') : null,
    holds?.length === 0 ? t('overview.well.holds') : null,
    unnotified !== null && wouldBeNotified(unnotified) ? t('overview.well.told') : null,
  ].filter((line) => line !== null);
  return (
    <>
      {well.length === 0 ? null : (
        <ul className={styles.checked}>
          {well.map((line) => (
            <li key={line}>
              <IconCheck size={16} stroke={2.2} aria-hidden="true" /> {line}
            </li>
          ))}
        </ul>
      )}
      <div className={styles.cards}>
        {unnotified === null || wouldBeNotified(unnotified) ? null : (
          <UnnotifiedCard unnotified={unnotified} />
        )}
        {silent.length === 0 ? null : <SilentCard tiles={silent} />}
        {holds === null || holds.length === 0 ? null : <HoldsCard holds={holds} />}
        {on_call === null ? null : <OnCallCard onCall={on_call} />}
        {maintenance === null ? null : <MaintenanceCard {...maintenance} />}
        {recent === null ? null : <RecentCard recent={recent} />}
      </div>
    </>
  );
}

function ToMonitor({ monitorId, children }: { monitorId: string; children: ReactNode }) {
  const orgId = useOrgId();
  return (
    <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId }} data-row>
      {children}
    </Link>
  );
}

function SilentCard({ tiles }: { tiles: readonly Tile[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const first = [...tiles]
    .sort((a, b) => (a.since_unix ?? 0) - (b.since_unix ?? 0))
    .slice(0, MAX_WITHOUT_DATA);
  return (
    <Panel title={t('overview.withoutData')}>
      <ul className={styles.rows}>
        {first.map(({ id, name, state, since_unix }) => (
          <li key={id} className={styles.row}>
            <ToMonitor monitorId={id}>{name}</ToMonitor>
            <span className={styles.end}>
              {state === 'cannot_check' ? `${t('status.cannot_check')} · ` : null}
              {since_unix === null ? null : t('overview.since', { moment: formats.minute(since_unix) })}
            </span>
          </li>
        ))}
      </ul>
      {tiles.length > first.length ? (
        <p className={styles.more}>
          <Link to="/o/$orgId/monitors/all" params={{ orgId }} search={{ state: 'no_data' }}>
            {t('overview.withoutDataMore', { count: tiles.length - first.length })}
          </Link>
        </p>
      ) : null}
    </Panel>
  );
}

function HoldsCard({ holds }: { holds: readonly Hold[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  return (
    <Panel title={t('overview.holds')}>
      <ul className={styles.rows}>
        {holds.map(({ incident_id, monitor_id, name, by_name, until_unix }) => (
          <li key={`${incident_id ?? monitor_id} ${until_unix} ${by_name}`} className={styles.row}>
            {incident_id !== null ? (
              <Link to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: incident_id }} data-row>
                {name}
              </Link>
            ) : (
              <ToMonitor monitorId={monitor_id ?? ''}>{name}</ToMonitor>
            )}
            <span className={styles.end}>
              {t('overview.holdsBy', {
                who: by_name || t('overview.summary.somebody'),
                moment: formats.minute(until_unix),
              })}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function RecentCard({ recent }: { recent: readonly RecentIncident[] }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  return (
    <Panel title={t('overview.recent')}>
      {recent.length === 0 ? <p className={styles.detail}>{t('overview.recentNone')}</p> : null}
      <ul className={styles.rows}>
        {recent.slice(0, 6).map((incident) => (
          <li key={incident.id} className={styles.row}>
            <Link to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: incident.id }} data-row>
              {incident.monitor_name ?? incident.cause}
            </Link>
            <span className={styles.end}>
              <Moment unix={incident.started_at_unix} /> ·{' '}
              <Duration from={incident.started_at_unix} to={incident.resolved_at_unix} />
            </span>
          </li>
        ))}
      </ul>
      {recent.length === 0 ? null : (
        <p className={styles.more}>
          <Link to="/o/$orgId/incidents" params={{ orgId }} search={{ status: 'all' }}>
            {t('overview.recentAll')}
          </Link>
        </p>
      )}
    </Panel>
  );
}
