import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listMonitorFigures, type MonitorFigures } from '#src/series/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import styles from './UptimeTop.module.css';

const RANGES = [
  ['1d', 'uptime_1d_pct'],
  ['7d', 'uptime_7d_pct'],
  ['30d', 'uptime_30d_pct'],
  ['90d', 'uptime_90d_pct'],
] as const satisfies readonly (readonly [string, keyof MonitorFigures])[];

const READ_EVERY_MS = 60_000;

/** The uptime of a day, a week, 30 and 90 days, at the top of the page. */
export function UptimeTop({ monitorId }: { monitorId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const query = { monitor_ids: monitorId, long: 'true' } as const;
  const figures = useQuery({
    ...read(listMonitorFigures, { params: { org_id: orgId }, query }),
    refetchInterval: READ_EVERY_MS,
  });
  const own = figures.data?.[0];
  return (
    <dl className={styles.figures} aria-label={t('monitor.uptime')} title={t('monitor.uptimeHint')}>
      {RANGES.map(([range, field]) => {
        const pct = own?.[field] ?? null;
        return (
          <div key={range} className={styles.figure}>
            <dt>
              {t('monitor.uptime')} {t(`ranges.${range}`)}
            </dt>
            <dd data-known={pct !== null}>{pct === null ? '–' : formats.percent(pct)}</dd>
          </div>
        );
      })}
    </dl>
  );
}
