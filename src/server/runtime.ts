// What the supervisor passes to the application, and what the application returns.
import type { Config } from '../config/config.ts';
import type { ReadDisk } from '../platform/db/disk-guard.ts';
import type { DatabasePool } from '../platform/db/pool.ts';
import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets.ts';

export type Runtime = Readonly<{
  log: Log;
  /** Open and migrated; closed by whoever opened it, after the application has stopped. */
  database: DatabasePool;
  /** For libraries that connect by themselves. */
  databaseUrl: string;
  vault: Vault;
  /** Folder of the built dashboard; null where it could not be built. */
  dashboardDir: string | null;
  /** Version of Tocsin, from package.json. */
  version: string;
  /** The source of `now` for units of work; by default the database's clock. */
  clock?: () => Date;
  /** False where a test moves the clock and runs the jobs that become due; by default true. */
  pollsJobs?: boolean;
  /** The machine's monotonic time in milliseconds; carries the database's clock on between readings. */
  elapsedMs?: () => number;
  /** Reads the disk of the database; absent where that is on another machine. */
  readDisk?: ReadDisk;
  /** Told whenever a long step of the start got somewhere. */
  reportProgress?: () => void;
}>;

export type App = Readonly<{
  /** Where it listens: `http://127.0.0.1:3300`. The port is the real one, also where the configuration said 0. */
  address: string;
  /** Token of the bundled probe; null where the region "local" is not served from here. */
  localProbeToken: string | null;
  /** Calls `renewed` with every further one: the operator has revoked the one before. */
  onLocalProbeToken(renewed: (token: string) => void): void;
  /** One-time link for the first user; null once there is one. */
  setupLink: string | null;
  /** Stops taking requests, finishes those under way and the jobs that run. */
  stop(): Promise<void>;
}>;

export type StartApp = (config: Config, runtime: Runtime) => Promise<App>;
