// The bundled probe of the region "local": the same program as a remote one, as a child process.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Config, probeEnvironment } from '../config.ts';
import type { Log } from '../platform/log.ts';
import { type KeptChild, keepRunning } from './child.ts';

/**
 * Starts the probe against our own `address`. The token travels in its environment (a command line is public), and
 * its environment holds none of the server's secrets.
 */
export function startLocalProbe(config: Config, address: string, token: string, log: Log): KeptChild {
  const env = probeEnvironment({
    url: reachable(address),
    token,
    dataDir: join(config.dataDir, 'probe-local'),
    dnsServers: config.dnsServers,
    logLevel: config.logLevel,
  });
  return keepRunning(
    'local probe',
    () =>
      spawn(process.execPath, [...process.execArgv, join(import.meta.dirname, '../main.ts'), 'probe'], {
        env,
        // The channel tells the probe when this process is gone, however it went: it then ends too.
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        // Ctrl-C reaches the server only, which stops its parts in order.
        detached: true,
        windowsHide: true,
      }),
    log,
  );
}

/** An address that listens everywhere is reached on loopback. */
export function reachable(address: string): string {
  const url = new URL(address);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.hostname === '[::]') url.hostname = '[::1]';
  return url.origin;
}
