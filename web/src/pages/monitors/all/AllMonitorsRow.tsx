import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MonitorFigures } from '#src/series/contract.ts';
import { useFormats } from '#web/format.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { StatusGlyph, stateWord } from '#web/ui/StatusGlyph.tsx';
import { isMonitorType, isRegionless } from '../monitor-types.ts';
import styles from './AllMonitorsRow.module.css';
import { DaysLeft } from './DaysLeft.tsx';
import { RowActions } from './RowActions.tsx';
import type { Line } from './search.ts';
import { Tags } from './Tags.tsx';

type Props = {
  line: Line;
  /** Undefined while loading. */
  figures: MonitorFigures | undefined;
  project: string;
  /** null: selection is not possible. */
  isPicked: boolean | null;
  onPick: (id: string, isOn: boolean) => void;
};

/** One monitor in one row: status, name, tags, days left, target, project, type, uptime. */
export const AllMonitorsRow = memo(function AllMonitorsRow({
  line: { monitor, state },
  figures,
  project,
  isPicked,
  onPick,
}: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const type = isMonitorType(monitor.type) ? t(`types.${monitor.type}.short`) : monitor.type;
  return (
    <div
      className={styles.row}
      data-state={state}
      data-picked={isPicked || undefined}
      data-bare={isPicked === null || undefined}
    >
      {isPicked === null ? null : (
        <input
          type="checkbox"
          className={styles.box}
          aria-label={t('allMonitors.pick', { name: monitor.name })}
          checked={isPicked}
          onChange={(event) => onPick(monitor.id, event.currentTarget.checked)}
        />
      )}
      <span className={styles.state} data-state={state}>
        <StatusGlyph state={state} size={12} />
        <span>{stateWord(t, monitor, state)}</span>
      </span>
      <span className={styles.what}>
        <Link
          data-row
          className={styles.name}
          to="/o/$orgId/monitors/$monitorId"
          params={{ orgId, monitorId: monitor.id }}
        >
          {monitor.name}
        </Link>
        <Tags tags={monitor.tags} />
        <DaysLeft days={figures?.days_left ?? null} type={monitor.type} />
        <span className={`mono ${styles.target}`}>{monitor.target}</span>
      </span>
      <span className={styles.project}>{project}</span>
      <span className={styles.type}>
        {isRegionless(monitor.type) ? type : `${type} · ${formats.duration(monitor.interval_seconds)}`}
      </span>
      <Uptime pct={figures?.uptime_1d_pct} label={t('allMonitors.uptimeDay')} />
      <Uptime pct={figures?.uptime_30d_pct} label={t('allMonitors.uptimeMonth')} />
      {isPicked === null ? null : <RowActions monitor={monitor} />}
    </div>
  );
});

function Uptime({ pct, label }: { pct: number | null | undefined; label: string }) {
  const formats = useFormats();
  return (
    <span className={styles.uptime} title={label}>
      {pct == null ? null : (
        <>
          <span className="visually-hidden">{label} </span>
          {formats.percent(pct)}
        </>
      )}
    </span>
  );
}
