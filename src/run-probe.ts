// `tocsin probe`, and the same program as the server's child.
import { runProbe } from '../probe/main.ts';

/** Runs the probe until it is told to stop, or until the server that started it is gone; answers the exit code. */
export function runProbeCommand(words: readonly string[]): Promise<number> {
  // The channel to the server that started us closes with it, however it ended: a killed server leaves no probe behind.
  if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // Then nobody reads our log either, and what is unsent must still be put away.
  process.stderr.on('error', () => undefined);
  return runProbe(words);
}
