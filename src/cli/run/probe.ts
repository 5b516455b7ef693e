// `tocsin probe`, and the same program as the server's child.
import { type ProbeCommandOptions, runProbe } from '#probe/main.ts';
import { collectOnce } from '#src/platform/collect-garbage.ts';

/**
 * Runs the probe until it gets a signal to stop, or until the server that started it is gone; returns the exit code. A probe
 * that no server started (it has no IPC channel) gets its own supervising process.
 */
export async function run(options: ProbeCommandOptions): Promise<number> {
  if (process.send === undefined)
    return (await import('#src/supervise/probe-supervisor.ts')).superviseProbe(wordsOf(options));
  // The server that started this probe may have been killed already.
  if (!process.connected) return 0;
  // The channel closes with the server, however it ended: a killed server leaves no probe behind.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Then nobody reads the log either, and unsent results must still be spooled.
  process.stderr.on('error', () => undefined);
  collectOnce();
  return runProbe(options);
}

function wordsOf({ url, token, dataDir }: ProbeCommandOptions): string[] {
  return [
    ...['--url', url],
    ...(token === undefined ? [] : ['--token', token]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
}
