// Chooses the version to run: the newest that was fetched and has not failed, or this one.
import { pathToFileURL } from 'node:url';
import type { Log } from '#probe/log.ts';
import type { Programs } from './programs.ts';

/**
 * Runs a newer version in this process, and then does not return; returns if there is none, or if it cannot be loaded.
 * `counts`: this start must reach an answered heartbeat.
 */
export async function runNewest(
  programs: Programs,
  { version, counts, log }: { version: string; counts: boolean; log: Log },
): Promise<void> {
  const newest = programs.newest(version);
  if (newest === null) return;
  try {
    if (counts) programs.starting(newest);
    await import(pathToFileURL(programs.pathOf(newest)).href);
  } catch (error) {
    programs.failed(newest);
    log('error', 'The fetched version cannot be started; continuing with the previous one', {
      version: newest.version,
      reason: error instanceof Error ? error.message : String(error),
    });
    await runNewest(programs, { version, counts, log });
  }
}
