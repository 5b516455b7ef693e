// `tocsin probe`, and the same program as the server's child.
import { type ProbeCommandOptions, runProbe } from '#probe/main.ts';

/**
 * Runs the probe until it is told to stop, or until the server that started it is gone; answers the exit code. A probe that
 * no server started (it was given no channel) is kept running by a process of its own.
 */
export async function run(options: ProbeCommandOptions): Promise<number> {
  if (process.send === undefined)
    return (await import('#src/supervise/kept-probe.ts')).keepProbe(wordsOf(options));
  // The server that started us may have been killed before we got here.
  if (!process.connected) return 0;
  // The channel closes with the server, however it ended: a killed server leaves no probe behind.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Then nobody reads our log either, and what is unsent must still be put away.
  process.stderr.on('error', () => undefined);
  return runProbe(options);
}

function wordsOf({ url, token, dataDir }: ProbeCommandOptions): string[] {
  return [
    ...['--url', url],
    ...(token === undefined ? [] : ['--token', token]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
}
