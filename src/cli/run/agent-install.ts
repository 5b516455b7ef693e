// `tocsin agent install`: installs the same single file that the server gives to hosts.
import { join } from 'node:path';
import type { Command } from 'commander';
import { type InstallOptions, installService } from '#agent/service/command.ts';
import { readBuiltFiles } from '#src/platform/built-files.ts';
import { createLog } from '#src/platform/log.ts';
import { readyDownloads } from '#src/supervise/downloads.ts';

/** Builds it first where that is needed; returns the exit code. `tocsin agent` has options of the same names, which commander finds first. */
export async function run(_options: unknown, command: Command): Promise<number> {
  const options = command.optsWithGlobals<InstallOptions>();
  const dir = await readyDownloads(createLog('warn'), new AbortController().signal);
  const file = (await readBuiltFiles(dir))['tocsin-agent.mjs'];
  if (!file)
    throw new Error('The agent could not be built as a single file, so there is nothing to install.');
  return installService(options, join(dir, file.name));
}
