import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Overview, Window } from '#src/overview/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './OverviewPage.module.css';

/** Who is on call now and next. */
export function OnCallCard({ onCall }: { onCall: NonNullable<Overview['on_call']> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const { enabled, now, next } = onCall;
  const shift = (label: string, name: string | null, when: string | null) => (
    <li className={styles.row}>
      <span className={styles.label}>{label}</span>
      <span className={name === null ? styles.nobody : styles.person}>{name ?? t('overview.dutyGap')}</span>
      {when === null ? null : <span className={styles.end}>{when}</span>}
    </li>
  );
  return (
    <Panel title={t('overview.duty')}>
      {enabled ? (
        <ul className={styles.rows}>
          {shift(
            t('overview.dutyNow'),
            now.name,
            now.until_unix === null
              ? null
              : t('overview.dutyUntil', { moment: formats.minute(now.until_unix) }),
          )}
          {next === null
            ? null
            : shift(
                t('overview.dutyNext'),
                next.name,
                next.from_unix === null
                  ? null
                  : t('overview.dutyFrom', { moment: formats.minute(next.from_unix) }),
              )}
        </ul>
      ) : (
        <p className={styles.detail}>
          <Link to="/o/$orgId/on-call" params={{ orgId }}>
            {t('overview.dutyOff')}
          </Link>
        </p>
      )}
    </Panel>
  );
}

/** Maintenance: in progress, and next. */
export function MaintenanceCard({ now, next }: { now: readonly Window[]; next: readonly Window[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const row = ({ id, title, monitors }: Window, when: string) => (
    <li key={id} className={styles.row}>
      <Link to="/o/$orgId/maintenance/$windowId" params={{ orgId, windowId: id }} data-row>
        {title}
      </Link>
      <span className={styles.end}>
        {when} · {t('overview.monitors', { count: monitors })}
      </span>
    </li>
  );
  return (
    <Panel title={t('overview.maintenance')}>
      {now.length + next.length === 0 ? (
        <p className={styles.detail}>{t('overview.maintenanceNone')}</p>
      ) : (
        <ul className={styles.rows}>
          {now.map((window) =>
            row(window, t('overview.maintenanceNow', { moment: formats.minute(window.ends_at_unix) })),
          )}
          {next.map((window) =>
            row(window, t('overview.maintenanceNext', { moment: formats.minute(window.starts_at_unix) })),
          )}
        </ul>
      )}
    </Panel>
  );
}
