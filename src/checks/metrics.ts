import { Counter, Histogram } from 'prom-client';
import { registry } from '../platform/metrics.ts';
import type { Result, ResultsReply } from '../probe-protocol/contract.ts';

const results = new Counter({
  name: 'tocsin_results_total',
  help: 'Check results received, by what became of them',
  labelNames: ['outcome'],
  registers: [registry],
});

const seconds = new Histogram({
  name: 'tocsin_ingest_seconds',
  help: 'Time from the arrival of a batch of results to its commit',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
});

/** Counts one batch; `tookMs` from its arrival to the end of its transaction. */
export function countBatch(reply: ResultsReply, tookMs: number): void {
  results.inc({ outcome: 'accepted' }, reply.accepted);
  results.inc({ outcome: 'duplicate' }, reply.duplicates);
  results.inc({ outcome: 'ignored' }, reply.ignored);
  results.inc({ outcome: 'refused' }, reply.refused.length);
  seconds.observe(tookMs / 1000);
}

const packed = new Counter({
  name: 'tocsin_checks_packed_total',
  help: 'Checks that this server has packed into blocks',
  registers: [registry],
});

/** Counts checks that were packed. */
export function countPacked(checks: number): void {
  packed.inc(checks);
}

const lateness = new Histogram({
  name: 'tocsin_check_lateness_seconds',
  help: 'Time from the moment a check was due until its result was stored, less the time the check took, by region',
  labelNames: ['region'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  registers: [registry],
});

/** Observes how late the results of a stored batch are; `results` may hold some that were refused. */
export function observeLateness(region: string, results: readonly unknown[], nowMs: number): void {
  const observed = lateness.labels({ region });
  for (const result of results) {
    const { checked_at_ms, latency_ms, timings_ms } = (result ?? {}) as Partial<Result>;
    const tookMs = timings_ms?.total ?? latency_ms ?? 0;
    const lateMs = nowMs - (checked_at_ms ?? Number.NaN) - tookMs;
    // A refused result may contain anything.
    if (Number.isFinite(lateMs)) observed.observe(Math.max(0, lateMs) / 1000);
  }
}
