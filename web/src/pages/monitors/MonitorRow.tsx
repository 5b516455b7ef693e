import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { CheckStrip } from '#web/ui/CheckStrip.tsx';
import { type DisplayState, StatusGlyph, stateWord } from '#web/ui/StatusGlyph.tsx';
import { Tags } from './all/Tags.tsx';
import { InMaintenance } from './InMaintenance.tsx';
import styles from './MonitorRow.module.css';
import { isMonitorType, isRegionless } from './monitor-types.ts';
import { SinceNoData } from './NoData.tsx';
import { targetOf } from './types.ts';

export type RecentChecks = readonly {
  checked_at_unix: number;
  region: string;
  status: string;
  latency_ms: number | null;
  cause_layer: string | null;
}[];

/** One row of the list: status, name, target, interval, last checks, last latency. */
export const MonitorRow = memo(function MonitorRow({
  monitor,
  state,
  checks,
}: {
  monitor: Monitor;
  /** The current state: it can change through time alone. */
  state: DisplayState;
  checks: RecentChecks;
}) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const kind = isMonitorType(monitor.type) ? t(`types.${monitor.type}.short`) : monitor.type;
  const rhythm = isRegionless(monitor.type)
    ? kind
    : `${kind} · ${formats.duration(monitor.interval_seconds)}`;
  const latest = checks.find((check) => check.latency_ms !== null && check.status !== 'down');
  return (
    <li className={styles.row} data-state={state}>
      <span className={styles.status} data-state={state}>
        <StatusGlyph state={state} size={13} />
        <span className={styles.word}>
          {stateWord(t, monitor, state)}
          <SinceNoData monitor={monitor} state={state} />
        </span>
      </span>
      <span className={styles.what}>
        <span className={styles.title}>
          <Link
            data-row
            className={styles.name}
            to="/o/$orgId/monitors/$monitorId"
            params={{ orgId, monitorId: monitor.id }}
          >
            {monitor.name}
          </Link>
          <Tags tags={monitor.tags} />
        </span>
        <InMaintenance monitor={monitor} brief />
        <span className={`mono ${styles.target}`}>{targetOf(monitor, t, formats)}</span>
      </span>
      <span className={styles.rhythm}>
        <span>{rhythm}</span>
        <span className={styles.regions} title={monitor.regions.join(', ')}>
          {monitor.regions.length > 2
            ? t('monitors.regionCount', { count: monitor.regions.length })
            : monitor.regions.join(', ')}
        </span>
      </span>
      <span className={styles.strip}>
        <CheckStrip checks={checks} />
      </span>
      <span className={styles.latency}>
        {latest?.latency_ms == null || ['failed', 'paused', 'no_data', 'cannot_check'].includes(state) ? (
          <span className={styles.none}>–</span>
        ) : (
          formats.milliseconds(latest.latency_ms)
        )}
      </span>
    </li>
  );
});
