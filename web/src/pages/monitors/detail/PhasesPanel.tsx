import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type CheckRecord, listChecks } from '../../../../../src/checks/contract.ts';
import type { Monitor } from '../../../../../src/monitors/contract.ts';
import { useFormats } from '../../../format.ts';
import { read } from '../../../read.ts';
import { Failure } from '../../../ui/Failure.tsx';
import { LoadingRows } from '../../../ui/LoadingRows.tsx';
import { Panel } from '../../../ui/Panel.tsx';
import { Ago } from '../../../ui/Times.tsx';
import { pollEvery } from '../poll-every.ts';
import styles from './PhasesPanel.module.css';

const MEASURED = ['dns', 'connect', 'tls', 'first_byte'] as const;

/** Where the time of the last check went. */
export function PhasesPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const checks = useQuery({
    ...read(listChecks, { params: { monitor_id: monitor.id }, query: { limit: 30 } }),
    refetchInterval: pollEvery(monitor.interval_seconds),
  });
  const check = checks.data?.find((each) => each.timings_ms?.total !== undefined);
  return (
    <Panel
      title={t('monitor.phases')}
      aside={
        check === undefined ? null : (
          <span className={styles.when}>
            {check.region}, <Ago unix={check.checked_at_unix} />
          </span>
        )
      }
    >
      {checks.isPending ? <LoadingRows count={2} height={28} /> : null}
      {checks.isError ? <Failure error={checks.error} retry={checks.refetch} /> : null}
      {checks.isSuccess && check === undefined ? (
        <p className={styles.none}>{t('monitor.noPhases')}</p>
      ) : null}
      {check === undefined ? null : <Phases check={check} />}
    </Panel>
  );
}

function Phases({ check }: { check: CheckRecord }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const timings = check.timings_ms ?? {};
  const total = timings.total ?? 0;
  const phases = MEASURED.filter((phase) => timings[phase] !== undefined).map((phase) => ({
    phase: phase as (typeof MEASURED)[number] | 'rest',
    ms: timings[phase] ?? 0,
  }));
  const rest = total - phases.reduce((sum, phase) => sum + phase.ms, 0);
  if (rest > 0) phases.push({ phase: 'rest', ms: rest });
  return (
    <>
      <div className={styles.bar} aria-hidden="true">
        {phases.map(({ phase, ms }) => (
          <i key={phase} data-phase={phase} style={{ flexGrow: ms }} />
        ))}
      </div>
      <dl className={styles.list}>
        {phases.map(({ phase, ms }) => (
          <div key={phase} className={styles.phase}>
            <dt>
              <i data-phase={phase} aria-hidden="true" />
              {t(`phases.${phase}`)}
            </dt>
            <dd>{formats.milliseconds(ms)}</dd>
          </div>
        ))}
        <div className={`${styles.phase} ${styles.total}`}>
          <dt>{t('phases.total')}</dt>
          <dd>{formats.milliseconds(total)}</dd>
        </div>
      </dl>
    </>
  );
}
