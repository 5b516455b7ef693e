// A folder for the files of an agent.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeAfterTests } from './database.ts';

/**
 * Removed after the tests of the file. Hooks of a test run in the order in which it adds them: the agent would still write into the
 * folder, and once one hook has failed, those that end the agent do not run.
 */
export async function agentFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-agent-'));
  closeAfterTests(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
