import type { ServerRole } from '#src/domain/names.ts';
import type { BuiltFiles } from '#src/platform/built-files.ts';
import type { ReadDisk } from '#src/platform/db/disk-guard.ts';
import type { Log } from '#src/platform/log.ts';
import type { Clock } from './app.ts';

export type AppOptions = {
  env?: Record<string, string>;
  clock?: Clock;
  /** Monotonic milliseconds, by which pages are read again: by default the machine's, which goes on while `clock` stands. */
  elapsedMs?: () => number;
  /** Where the pool connects, given the URL of the fresh database: for tests that cut the line. */
  throughUrl?: (url: string) => string;
  /** The roles of the server; all by default. */
  roles?: readonly ServerRole[];
  /** Receives its log lines; none by default. */
  log?: Log;
  /** false: no admin has been created yet. */
  admin?: boolean;
  /** The built dashboard, for tests with a browser; none is served by default. */
  dashboardDir?: string;
  /** Agent and probe as single files; none by default. */
  builtFiles?: BuiltFiles;
  /** The server's version; 0.0.0 by default. */
  version?: string;
  /** The free space of the database's disk; by default the database is on another machine. */
  readDisk?: ReadDisk;
  /** Lets the queue poll for jobs that become due, by the machine's clock; by default only if the test uses that clock. */
  pollsJobs?: boolean;
};
