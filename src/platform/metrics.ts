// The registry of this process; slices add their own metrics to it, without labels of tenants.
import { collectDefaultMetrics, Registry } from 'prom-client';

export const registry = new Registry();

let started = false;

/** Metrics of Node itself, collected from the first scrape on: they cost a timer and some memory. */
export function withProcessMetrics(): Registry {
  if (!started) {
    collectDefaultMetrics({ register: registry });
    started = true;
  }
  return registry;
}
