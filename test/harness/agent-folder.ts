// A folder for the files of an agent.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** Removed with the test. */
export async function agentFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-agent-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
