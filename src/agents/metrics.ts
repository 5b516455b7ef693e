import { Counter, Histogram } from 'prom-client';
import { registry } from '../platform/metrics.ts';
import type { HeartbeatPost } from './protocol-contract.ts';

const heartbeats = new Counter({
  name: 'tocsin_agent_heartbeats_total',
  help: 'Heartbeats of host agents that were received, kept ones among them',
  registers: [registry],
});

const seconds = new Histogram({
  name: 'tocsin_agent_post_seconds',
  help: 'Time from the arrival of a post of an agent to its answer',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  registers: [registry],
});

/** Counts one stored post. */
export function observePost(post: HeartbeatPost, tookMs: number): void {
  heartbeats.inc(post.heartbeats?.length ?? 1);
  seconds.observe(tookMs / 1000);
}
