// The replica as this process knows it.
import { Gauge } from 'prom-client';
import type { Replica } from '#src/platform/db/replica/replica.ts';
import { registry } from '#src/platform/metrics.ts';

const up = new Gauge({
  name: 'tocsin_replica_in_use',
  help: '1 while charts, lists and pages may be read from the replica; absent without DATABASE_READ_URL',
  registers: [registry],
});
const lag = new Gauge({
  name: 'tocsin_replica_lag_seconds',
  help: 'How old what the replica shows is at most; absent while nothing is known of it',
  registers: [registry],
});

export function readReplica(replica: Pick<Replica, 'state' | 'lagSeconds'> | null): void {
  // A gauge without labels begins with 0.
  if (replica === null) up.remove();
  else up.set(replica.state() === 'in_use' ? 1 : 0);
  const seconds = replica?.lagSeconds() ?? null;
  if (seconds === null) lag.remove();
  else lag.set(seconds);
}
