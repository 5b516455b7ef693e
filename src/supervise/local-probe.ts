// The bundled probe of the region "local": the same program as a remote one, as a child process.
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ownEnvironment, probeEnvironment } from '../config/child-environment.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../platform/log.ts';
import { reachable } from '../platform/own-addresses.ts';
import { type KeptChild, keepRunning } from './child.ts';

const MAIN = join(import.meta.dirname, '../main.ts');

/**
 * Starts the probe against our own `address`, each time with the token of that moment. The token travels in its environment (a command line is public), and
 * its environment holds none of the server's secrets.
 */
export function startLocalProbe(config: Config, address: string, token: () => string, log: Log): KeptChild {
  const dataDir = join(config.dataDir, 'probe-local');
  const words = [...process.execArgv, MAIN, 'probe', '--url', reachable(address), '--data-dir', dataDir];
  const start = () => {
    const child = spawn(process.execPath, words, {
      env: ownEnvironment(
        probeEnvironment({
          token: token(),
          dnsServers: config.dnsServers,
          rdapBaseUrl: config.rdapBaseUrl,
          canaries: config.canaries,
          offLimits: config.edge === 'caddy' ? config.caddyAdminUrls : [],
        }),
      ),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // Ctrl-C reaches the server only, which stops its parts in order.
      detached: true,
      windowsHide: true,
    });
    relayLog(child, log.child({ part: 'local probe' }));
    return child;
  };
  return keepRunning('local probe', start, log);
}

/** The probe's lines (JSON with level and msg) become lines of our log; what is not JSON (a crash) comes as it is. */
function relayLog(child: ChildProcess, log: Log): void {
  if (!child.stderr) return;
  createInterface({ input: child.stderr }).on('line', (line) => {
    try {
      const { level, time: _, msg, ...fields } = JSON.parse(line) as Record<string, unknown>;
      log[level === 'error' || level === 'warn' ? level : 'info'](fields, String(msg));
    } catch {
      log.error(line);
    }
  });
}
