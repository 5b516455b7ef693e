// Sample hosts for tests.
import type { Agent } from '#src/agents/contract.ts';

/** A healthy host with the given changes. */
export const host = (given: Partial<Agent> = {}): Agent => ({
  id: 'agt_1',
  hostname: 'web-1',
  platform: 'linux',
  os: 'Debian GNU/Linux 13',
  arch: 'x64',
  agent_version: '1.0.0',
  latest_version: '1.0.0',
  labels: '',
  modules: ['cpu', 'memory', 'disk'],
  enrolled_at_unix: 1_000,
  last_heartbeat_at_unix: 2_000,
  last_cpu_pct: 10,
  last_mem_pct: 20,
  last_disk_pct: 30,
  online: true,
  outdated: false,
  monitor_count: 0,
  inventory_enabled: false,
  process_inventory: [],
  process_inventory_at_unix: null,
  service_inventory: [],
  expected_offline: false,
  readings: {},
  services: [],
  booted_at_unix: null,
  silent_since_unix: null,
  upgrade_asked: false,
  ...given,
});
