import { Button, Select } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CheckRecord, listChecks } from '#src/checks/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { useFormats } from '#web/format.ts';
import { ExpandableCheck } from '#web/pages/checks/ExpandableCheck.tsx';
import { read } from '#web/read.ts';
import { CheckStatusWord } from '#web/ui/CheckStatusWord.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import { Moment } from '#web/ui/Times.tsx';
import { pollEvery } from '../poll-every.ts';
import { metricName } from '../types/agent/metric-words.ts';
import { type MeasuredMetric, measuredMetric } from './measured-metric.ts';
import styles from './RecentChecks.module.css';

const PAGE = 30;
const MAX_LISTED = 1_000;

/** The latest checks as measured; failures say what failed and where. */
export function RecentChecks({ monitor }: { monitor: Monitor }) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(PAGE);
  const [region, setRegion] = useState('');
  // Responses of targets are fetched per check, when its row is expanded.
  const query = { limit, responses: 'false' as const, ...(region === '' ? {} : { region }) };
  const checks = useQuery({
    ...read(listChecks, { params: { monitor_id: monitor.id }, query }),
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(monitor),
  });
  const regional = monitor.regions.length > 0;
  const some = (checks.data?.length ?? 0) > 0;
  return (
    <Panel
      title={t('monitor.recentChecks')}
      flush={some}
      aside={
        monitor.regions.length < 2 ? null : (
          <Select
            size="xs"
            aria-label={t('monitor.region')}
            allowDeselect={false}
            value={region}
            onChange={(value) => setRegion(value ?? '')}
            data={[{ value: '', label: t('monitor.allRegions') }, ...monitor.regions]}
          />
        )
      }
    >
      {checks.isPending ? <LoadingRows count={6} height={30} /> : null}
      {checks.isError ? <Failure error={checks.error} retry={checks.refetch} /> : null}
      {checks.isSuccess && !some ? (
        <p className={styles.none}>
          {t(!monitor.enabled ? 'monitor.pausedText' : regional ? 'monitor.noChecks' : 'monitor.noResults')}
        </p>
      ) : null}
      {some ? (
        <CheckTable checks={checks.data ?? []} regional={regional} measured={measuredMetric(monitor)} />
      ) : null}
      {(checks.data?.length ?? 0) >= limit && limit < MAX_LISTED ? (
        <div className={styles.more}>
          <Button
            variant="default"
            size="xs"
            loading={checks.isPlaceholderData}
            onClick={() => setLimit(Math.min(MAX_LISTED, limit + 100))}
          >
            {t('ui.more')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

type TableProps = { checks: CheckRecord[]; regional: boolean; measured: MeasuredMetric | null };

function CheckTable({ checks, regional, measured }: TableProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const explain = useFailureSentence();
  const figureOf = ({ latency_ms: latency, metric_value: value }: CheckRecord) => {
    if (measured !== null) return value == null ? '–' : formats.measured(value, measured.unit);
    return latency == null ? '–' : formats.milliseconds(latency);
  };
  return (
    <table className={table.table}>
      <thead>
        <tr>
          <th scope="col">{t('check.time')}</th>
          <th scope="col">{t('check.result')}</th>
          {regional ? (
            <th scope="col" className={styles.wide}>
              {t('check.region')}
            </th>
          ) : null}
          <th scope="col" className={table.figure}>
            {measured === null ? t('check.latency') : metricName(t, measured.metric)}
          </th>
          <th scope="col" className={styles.wide}>
            {t('check.what')}
          </th>
        </tr>
      </thead>
      <tbody>
        {checks.map((check) => {
          const why = check.status === 'up' ? (check.detail ?? null) : explain(check);
          return (
            <ExpandableCheck
              key={check.id}
              monitorId={check.monitor_id}
              checkId={check.id}
              columns={regional ? 5 : 4}
              time={
                <>
                  <Moment unix={check.checked_at_unix} />
                  <span className={styles.narrow}>{check.region}</span>
                </>
              }
            >
              <td>
                <CheckStatusWord status={check.status} causeLayer={check.cause_layer} />
                {check.in_maintenance ? (
                  <span className={styles.note}>{t('check.inMaintenance')}</span>
                ) : null}
                {check.discarded ? <span className={styles.note}>{t('check.discarded')}</span> : null}
                {why === null ? null : <span className={styles.narrow}>{why}</span>}
              </td>
              {regional ? <td className={styles.wide}>{check.region}</td> : null}
              <td className={table.figure}>{figureOf(check)}</td>
              <td className={`${styles.wide} ${table.quiet}`}>
                {why ?? (check.response_code == null ? '' : `HTTP ${check.response_code}`)}
              </td>
            </ExpandableCheck>
          );
        })}
      </tbody>
    </table>
  );
}
