// The upgrade of a running agent: follows the server's request, and hands over to the new version.
import type { Log } from '#probe/log.ts';
import type { Link } from '../link.ts';
import { fetchVersion, obstacle, type RequestedUpgrade } from './fetch.ts';
import type { Programs } from './programs.ts';

export type Upgrading = {
  /** Marks the running version as proven at its first answered heartbeat. */
  watched(link: Link): Link;
  /** The server asks for another version. */
  asked(wanted: RequestedUpgrade): void;
  /** Resolves once nothing is being fetched; whether the program must restart as a newer version. */
  ended(): Promise<boolean>;
};

/** The server asks in every answer. A failed upgrade is tried again, and an obstacle is logged again, after this long. */
const AGAIN_AFTER_MS = 30 * 60_000;
/** The exit code that asks for a restart (sysexits.h: a temporary failure). */
export const RESTART_CODE = 75;

export type UpgradingOptions = {
  steadyNowMs: () => number;
  url: string;
  version: string;
  log: Log;
  /** Ends the agent in order. */
  stop: AbortController;
  /** null: this program cannot be replaced; `refused` has the reason. */
  programs: Programs | null;
  /** Why it is not replaced; undefined if it may be. */
  refused: string | undefined;
};

export function openUpgrading(options: UpgradingOptions): Upgrading {
  const { url, version, log, stop, programs, refused, steadyNowMs } = options;
  let fetching: Promise<void> | undefined;
  let isReady = false;
  let isProven = false;

  let tried: { sum: string; atMs: number } | undefined;

  const take = async (wanted: RequestedUpgrade, into: Programs) => {
    const options = { wanted, url, ownVersion: version, programs: into, signal: stop.signal };
    try {
      await fetchVersion(options);
      log('info', 'Fetched and verified a newer version; starting it', { version: wanted.version });
      isReady = true;
      stop.abort();
    } catch (error) {
      if (stop.signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      log('error', 'The upgrade that the server asks for failed', { version: wanted.version, reason });
    }
  };

  return {
    watched: (link) => ({
      ...link,
      async heartbeat(credential, body) {
        const outcome = await link.heartbeat(credential, body);
        if (outcome.kind === 'ok' && !isProven) {
          isProven = true;
          programs?.proven(version);
        }
        return outcome;
      },
    }),
    asked(wanted) {
      const nowMs = steadyNowMs();
      if (fetching || wanted.version === version) return;
      if (tried?.sum === wanted.sha256 && nowMs - tried.atMs < AGAIN_AFTER_MS) return;
      tried = { sum: wanted.sha256, atMs: nowMs };
      const why =
        refused ??
        (programs === null
          ? 'this agent runs from the sources of an installation: upgrade that'
          : obstacle({ wanted, ownVersion: version, programs }));
      if (why !== undefined || programs === null) {
        log('warn', 'The server asks for an upgrade, but this agent does not upgrade itself', {
          version: wanted.version,
          reason: why,
        });
        return;
      }
      fetching = take(wanted, programs).finally(() => {
        fetching = undefined;
      });
    },
    async ended() {
      await fetching;
      programs?.stopped(version);
      return isReady;
    },
  };
}
