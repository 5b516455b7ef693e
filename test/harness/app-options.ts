import type { ServerRole } from '#src/domain/names.ts';
import type { BuiltFiles } from '#src/platform/built-files.ts';
import type { ReadDisk } from '#src/platform/db/disk-guard.ts';
import type { Log } from '#src/platform/log.ts';
import type { Clock } from './app.ts';

export type AppOptions = {
  env?: Record<string, string>;
  clock?: Clock;
  /** Where the pool connects, given the URL of the fresh database: for tests that cut the line. */
  throughUrl?: (url: string) => string;
  /** What the server does; everything unless told. */
  roles?: readonly ServerRole[];
  /** Where it logs; nowhere unless told otherwise. */
  log?: Log;
  /** false: nobody is there yet. */
  admin?: boolean;
  /** Where the built dashboard is, for tests with a browser; none is served unless told. */
  dashboardDir?: string;
  /** Agent and probe as single files; none unless told. */
  builtFiles?: BuiltFiles;
  /** The version that the server says it is; 0.0.0 unless told. */
  version?: string;
  /** What is read of the database's disk; it is on another machine unless told. */
  readDisk?: ReadDisk;
  /** Has the queue look for jobs that become due, by the time of the machine; unless told only where the clock is the machine's. */
  pollsJobs?: boolean;
};
