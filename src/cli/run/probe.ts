// `tocsin probe`, and the same program as the server's child.
import { type ProbeCommandOptions, runProbe } from '#probe/main.ts';

/**
 * Runs the probe until it is told to stop, or until whoever started it and keeps it running is gone; answers the exit code.
 * Where nobody does (no channel to a parent), it is started again by a process of ours.
 */
export async function run(options: ProbeCommandOptions): Promise<number> {
  if (!process.connected) return (await import('#src/supervise/kept-probe.ts')).keepProbe(wordsOf(options));
  // The channel to who started us closes with it, however it ended: a killed server leaves no probe behind.
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
