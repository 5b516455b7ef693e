// The input of the application from its supervisor, and its result.
import type { BuiltFiles } from '../platform/built-files.ts';
import type { ReadDisk } from '../platform/db/disk-guard.ts';
import type { DatabasePool } from '../platform/db/pool.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets.ts';

export type Runtime = Readonly<{
  log: Log;
  /** Open and migrated; its opener closes it after the application has stopped. */
  database: DatabasePool;
  vault: Vault;
  /** Folder of the built dashboard; null if it could not be built. */
  dashboardDir: string | null;
  /** Agent and probe as single files, as far as they could be built; absent: none. */
  builtFiles?: BuiltFiles;
  /** Version of Tocsin, from package.json. */
  version: string;
  /** The source of `now` for units of work; by default the database's clock. */
  clock?: () => Date;
  /** False if a test moves the clock and runs due jobs itself; by default true. */
  pollsJobs?: boolean;
  /** The machine's monotonic time in milliseconds; carries the database's clock on between readings. */
  elapsedMs?: () => number;
  /** Reads the disk of the database; absent if that is on another machine. */
  readDisk?: ReadDisk;
  /** Called whenever a long step of the start has made progress. */
  reportProgress?: () => void;
}>;

export type App = Readonly<{
  /** Where it listens: `http://127.0.0.1:3300`. The port is the real one, even if the configuration said 0. */
  address: string;
  /** Token of the bundled probe; null if this machine does not serve the region "local". */
  localProbeToken: string | null;
  /** Calls `renewed` with every further token: the operator has revoked the previous one. */
  onLocalProbeToken(renewed: (token: string) => void): void;
  /** One-time link for the first user; null once there is one. */
  setupLink: string | null;
  /** Stops accepting requests, then finishes running requests and jobs. */
  stop(): Promise<void>;
}>;
