// Combines several series of a host into one chart.
import type { AgentSeries } from '#src/agents/contract.ts';
import { HEARTBEAT_SECONDS } from '#src/domain/agent.ts';
import { type ChartData, chartData } from '#web/pages/monitors/detail/chart-data.ts';

/** Aligns series of one range, one line each, in their order; a series that is not loaded yet has an empty line. */
export function metricsData(all: readonly (AgentSeries | undefined)[], labels: readonly string[]): ChartData {
  const known = all.find((series) => series !== undefined);
  const points = all.flatMap((series, line) =>
    (series?.points ?? []).map(({ bucket_unix, count, avg, max }) => ({
      ...{ bucket_unix, region: String(line), avg_ms: avg, max_ms: max },
      ...{ up: count, down: 0, degraded: 0 },
    })),
  );
  const { from_unix = 0, to_unix = 0, bucket_seconds = 1 } = known ?? {};
  const data = chartData({ from_unix, to_unix, bucket_seconds, points }, HEARTBEAT_SECONDS);
  const place = (line: number) => data.regions.indexOf(String(line));
  const none = data.xs.map(() => undefined);
  return {
    ...data,
    regions: [...labels],
    lines: labels.map((_, line) => data.lines[place(line)] ?? none),
    buckets: labels.map((_, line) => data.buckets[place(line)] ?? none),
  };
}
