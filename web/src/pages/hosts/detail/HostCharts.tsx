import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent } from '#src/agents/contract.ts';
import { OF_MOUNT } from '#src/domain/agent.ts';
import { SERIES_RANGES, type SeriesRange } from '#src/domain/names.ts';
import { remember, remembered } from '#web/remembered.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { mountsOf } from '../host-state.ts';
import styles from './HostCharts.module.css';
import { type MetricLine, MetricsChart } from './MetricsChart.tsx';

/** The most mounts with a line of their own: a chart cannot show more apart. */
const MAX_MOUNTS = 6;

function initialRange(): SeriesRange {
  const last = remembered('range');
  return SERIES_RANGES.find((range) => range === last) ?? '3h';
}

/** The history of a host: one chart for each group of metrics. */
export function HostCharts({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const [range, setRange] = useState(initialRange);
  const has = (metric: string) => agent.readings[metric] !== undefined;
  const lines = (...of: [metric: string, label: string][]): MetricLine[] =>
    of.filter(([metric]) => has(metric)).map(([metric, label]) => ({ metric, label }));
  const mounts = mountsOf(agent);
  const charts = [
    { title: t('hosts.cpu'), ceiling: 100, lines: lines(['cpu_pct', '']) },
    {
      title: t('hosts.memory'),
      ceiling: 100,
      lines: lines(['mem_pct', t('hosts.line.memory')], ['swap_pct', t('hosts.line.swap')]),
    },
    {
      title: mounts.length > MAX_MOUNTS ? t('hosts.fullestDisks', { count: MAX_MOUNTS }) : t('hosts.disks'),
      ceiling: 100,
      lines:
        mounts.length === 0
          ? lines(['disk_pct', ''])
          : mounts.slice(0, MAX_MOUNTS).map(({ mount }) => ({ metric: `${OF_MOUNT}${mount}`, label: mount })),
    },
    {
      title: t('hosts.network'),
      lines: lines(['net_rx_bps', t('hosts.line.received')], ['net_tx_bps', t('hosts.line.sent')]),
    },
    {
      title: t('hosts.load'),
      lines: lines(
        ['load1', t('hosts.line.minutes', { count: 1 })],
        ['load5', t('hosts.line.minutes', { count: 5 })],
        ['load15', t('hosts.line.minutes', { count: 15 })],
      ),
    },
    { title: t('hosts.temperature'), lines: lines(['temp_c', '']) },
  ].filter((chart) => chart.lines.length > 0);

  return (
    <section className={styles.charts} aria-labelledby="host-history">
      <div className={styles.head}>
        <h2 id="host-history" className={styles.title}>
          {t('hosts.history')}
        </h2>
        {charts.length === 0 ? null : (
          <div className={styles.ranges}>
            <SegmentedControl
              size="xs"
              aria-label={t('monitor.range')}
              value={range}
              onChange={(value) => {
                remember('range', value);
                setRange(value as SeriesRange);
              }}
              data={SERIES_RANGES.map((value) => ({ value, label: t(`ranges.${value}`) }))}
            />
          </div>
        )}
      </div>
      {charts.length === 0 ? (
        <Panel title={t('hosts.readings')}>
          <Empty title={t('hosts.noReadings')} text={t('hosts.noReadingsText')} />
        </Panel>
      ) : (
        <div className={styles.grid}>
          {charts.map((chart) => (
            <MetricsChart key={chart.title} agent={agent} range={range} {...chart} />
          ))}
        </div>
      )}
    </section>
  );
}
