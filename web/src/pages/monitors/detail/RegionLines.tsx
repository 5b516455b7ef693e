import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listRegionStatuses, type RegionStatus } from '#src/checks/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { Ago } from '#web/ui/Times.tsx';
import { pollEvery } from '../poll-every.ts';
import styles from './RegionLines.module.css';
import { conditionOf } from './region-condition.ts';

/** The monitor's state in each region, one line each. */
export function RegionLines({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const statuses = useQuery({
    ...read(listRegionStatuses, { params: { monitor_id: monitor.id } }),
    refetchInterval: pollEvery(monitor),
  });
  // A single region needs no name to tell it apart.
  const isOne = monitor.regions.length === 1;
  const title = t(isOne ? 'regionLines.one' : 'regionLines.title');
  return (
    <Panel title={title} flush>
      {statuses.data !== undefined ? null : (
        <div className={styles.inset}>
          {statuses.isPending ? <LoadingRows count={monitor.regions.length} height={34} /> : null}
          {statuses.isLoadingError ? <Failure error={statuses.error} retry={statuses.refetch} /> : null}
        </div>
      )}
      {statuses.data === undefined ? null : (
        <ul className={styles.list} aria-label={title}>
          {statuses.data.map((status) => (
            <RegionLine key={status.region} status={status} isOne={isOne} />
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** Remedies, by the failure class of a check that its probe could not make or judge. */
const TODO: Readonly<Record<string, 'setAsideTodo' | 'busyTodo'>> = {
  probe_frozen: 'setAsideTodo',
  check_too_costly: 'setAsideTodo',
  probe_busy: 'busyTodo',
};

function RegionLine({ status, isOne }: { status: RegionStatus; isOne: boolean }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  const { state, word, count, passes = 0 } = conditionOf(status);
  const check = status.last_check;
  const todo = TODO[check?.failure_class ?? ''];
  const why = check === null || (check.status === 'up' && check.cause_layer == null) ? null : explain(check);
  return (
    <li className={styles.line} data-state={state} data-one={isOne || undefined}>
      {isOne ? null : <span className={styles.name}>{status.name}</span>}
      <span className={styles.condition} data-state={state}>
        <StatusGlyph state={state} size={13} />
        {t(`regionLines.${word}`, { count, passes })}
      </span>
      <span className={styles.when}>{check === null ? '' : <Ago unix={check.checked_at_unix} />}</span>
      <span className={styles.latency}>
        {check?.latency_ms == null ? '' : formats.milliseconds(check.latency_ms)}
      </span>
      <span className={styles.why}>
        {why}
        {todo === undefined ? null : <span className={styles.todo}>{t(`regionLines.${todo}`)}</span>}
      </span>
    </li>
  );
}
