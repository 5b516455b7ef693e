import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type Agent, getAgentSeries } from '#src/agents/contract.ts';
import type { SeriesRange } from '#src/domain/names.ts';
import { useFormats } from '#web/format.ts';
import { LineChart } from '#web/pages/monitors/detail/LineChart.tsx';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './MetricsChart.module.css';
import { metricsData } from './metrics-data.ts';

/** `label` is empty if the title of the chart already says it. */
export type MetricLine = { metric: string; label: string };

type Props = { agent: Agent; range: SeriesRange; title: string; lines: MetricLine[]; ceiling?: number };

const HEIGHT = 190;

/** Metrics of one unit over a range, and their current values. */
export function MetricsChart({ agent, range, title, lines, ceiling }: Props) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const params = { org_id: orgId, agent_id: agent.id };
  const { all, isPending, failed } = useQueries({
    queries: lines.map(({ metric }) => ({
      ...read(getAgentSeries, { params, query: { metric, range } }),
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
    })),
    combine: (results) => ({
      all: results.map(({ data }) => data),
      isPending: results.some((each) => each.isPending),
      failed: results.find((each) => each.isLoadingError),
    }),
  });
  const labels = lines.map(({ label }) => label).join('\n');
  const data = useMemo(() => metricsData(all, labels.split('\n')), [all, labels]);
  const [first] = all;
  const now = lines.map(({ metric, label }) => ({ label, value: agent.readings[metric] }));
  const unit = first?.unit ?? 'none';
  const summary = lines
    .map(({ label }, at) => {
      const { avg = null, max = null } = all[at]?.stats ?? {};
      return t('hosts.chartSummary', {
        what: label === '' ? title : label,
        average: avg === null ? '–' : formats.measured(avg, unit),
        highest: max === null ? '–' : formats.measured(max, unit),
      });
    })
    .join('; ');
  return (
    <Panel
      title={title}
      aside={
        isPending || !agent.online ? null : (
          <span className={styles.now}>
            {now.map(({ label, value }) =>
              value === undefined ? null : (
                <span key={label}>
                  {now.length > 1 ? <span className={styles.label}>{label}</span> : null}{' '}
                  {formats.measured(value, unit)}
                </span>
              ),
            )}
          </span>
        )
      }
    >
      {failed === undefined ? null : <Failure error={failed.error} retry={failed.refetch} />}
      {isPending && failed === undefined ? <LoadingRows count={1} height={HEIGHT + 30} /> : null}
      {isPending || first === undefined ? null : data.lines.every((line) =>
          line.every((value) => value == null),
        ) ? (
        <p className={styles.none}>{t('hosts.nothingInRange')}</p>
      ) : (
        <LineChart
          data={data}
          unit={unit}
          bucketSeconds={first.bucket_seconds}
          summary={summary}
          height={HEIGHT}
          sync="host"
          {...(ceiling === undefined ? {} : { ceiling })}
        />
      )}
    </Panel>
  );
}
