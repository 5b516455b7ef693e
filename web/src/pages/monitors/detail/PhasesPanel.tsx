import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listChecks } from '#src/checks/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Ago } from '#web/ui/Times.tsx';
import { pollEvery } from '../poll-every.ts';
import { Phases } from './Phases.tsx';
import styles from './PhasesPanel.module.css';

/** The timing of the last check. */
export function PhasesPanel({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const checks = useQuery({
    ...read(listChecks, { params: { monitor_id: monitor.id }, query: { limit: 30 } }),
    refetchInterval: pollEvery(monitor),
  });
  const check = checks.data?.find((each) => each.timings_ms?.total !== undefined);
  return (
    <Panel
      title={t('monitor.phases')}
      aside={
        check === undefined ? null : (
          <span className={styles.when}>
            {check.region === '' ? null : `${check.region}, `}
            <Ago unix={check.checked_at_unix} />
          </span>
        )
      }
    >
      {checks.isPending ? <LoadingRows count={2} height={28} /> : null}
      {checks.isError ? <Failure error={checks.error} retry={checks.refetch} /> : null}
      {checks.isSuccess && check === undefined ? (
        <p className={styles.none}>{t('monitor.noPhases')}</p>
      ) : null}
      {check === undefined ? null : <Phases timings={check.timings_ms ?? {}} />}
    </Panel>
  );
}
