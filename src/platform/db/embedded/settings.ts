// PostgreSQL's settings for one small machine: little memory, few processes, full durability.
// They are passed on the command line, so the running server always has the settings in the code.

const SETTINGS: Record<string, string> = {
  // fsync, full_page_writes and synchronous_commit keep their default, on: with the last one off, a kill lost
  // acknowledged rows.
  shared_buffers: '48MB',
  max_connections: '60',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  effective_cache_size: '256MB',
  random_page_cost: '1.1',
  jit: 'off',
  // As few processes as possible: no I/O workers, no parallel workers, no replication launcher.
  io_method: 'sync',
  max_worker_processes: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',
  autovacuum_worker_slots: '2',
  autovacuum_max_workers: '2',
  autovacuum_naptime: '30s',
  // Nothing replicates from this cluster, so bulk loads into new tables need no WAL.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_replication_slots: '0',
  min_wal_size: '48MB',
  max_wal_size: '512MB',
  checkpoint_timeout: '10min',
  huge_pages: 'off',
  // Quiet: the client gets the error, and a statement in a log could carry a secret.
  log_min_messages: 'warning',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_line_prefix: '',
  logging_collector: 'off',
  lc_messages: 'C',
  TimeZone: 'UTC',
  log_timezone: 'UTC',
};

/** Command-line flags of `postgres`; `override` wins (the test cluster turns durability off, and nothing else). */
export function settingFlags(override: Record<string, string> = {}): string[] {
  return Object.entries({ ...SETTINGS, ...override }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
