// How long a result of a monitor stays valid, and since when that rule holds: figures judge every moment by the rule of that
// time (docs/rules/figures.md#unknown-time).
import { reportingWindowMs, resultsEverySeconds, timeoutMsOf } from '../domain/reporting.ts';
import { type Statement, sendUnawaited, type Work } from '../platform/work.ts';

export type Reporting = {
  no: number;
  type: string;
  /** Complete. */
  config: Record<string, unknown>;
  enabled: boolean;
  interval_seconds: number;
};

/** How long a result of the monitor stays valid, in ms; null: until the next one. */
export function windowOf({ type, config, interval_seconds }: Reporting): number | null {
  if (type === 'heartbeat' || type === 'group') return null;
  return reportingWindowMs({
    intervalSeconds: resultsEverySeconds(type, interval_seconds),
    timeoutMs: timeoutMsOf(config),
  });
}

/** The rule of a monitor without a stored one: it holds for all earlier results too. */
export const firstRule = (monitor: Reporting) => ({
  monitor_no: monitor.no,
  since: new Date(0),
  window_ms: windowOf(monitor),
  enabled: monitor.enabled,
});

/** The statement that stores the first rule of a monitor. */
export const startingReporting = ({ tx }: Work, monitor: Reporting): Statement =>
  tx.insertInto('reporting_rules').values(firstRule(monitor));

/** Records the rule after a change of the monitor, whose state is locked. */
export async function changeReporting(work: Work, monitor: Reporting): Promise<void> {
  const { tx, now } = work;
  const { no, enabled } = monitor;
  const rule = { window_ms: windowOf(monitor), enabled };
  const inForce = await tx
    .selectFrom('reporting_rules')
    .selectAll()
    .where('monitor_no', '=', no)
    .where('until', 'is', null)
    .executeTakeFirst();
  if (!inForce) return sendUnawaited(work, startingReporting(work, monitor));
  if (inForce.window_ms === rule.window_ms && inForce.enabled === enabled) return;
  // The times of one monitor never go back, whatever clock the last writer had.
  const isSameInstant = inForce.since >= now;
  await tx
    .updateTable('reporting_rules')
    .set(isSameInstant ? rule : { until: now })
    .where('monitor_no', '=', no)
    .where('since', '=', inForce.since)
    .execute();
  if (!isSameInstant)
    await tx
      .insertInto('reporting_rules')
      .values({ monitor_no: no, since: now, ...rule })
      .execute();
}
