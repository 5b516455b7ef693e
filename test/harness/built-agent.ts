// The agent as a single file, of any version that a test needs, and its processes on the Node of the machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { BuiltFile } from '#src/platform/built-files.ts';
import { bundle } from '#src/supervise/single-file.ts';
import { agentFolder } from './agent-folder.ts';
import { machineNode } from './machine-node.ts';

const NAME = 'tocsin-agent.mjs';

/** As a server of that version serves it. */
export async function buildAgent(version: string): Promise<BuiltFile> {
  const root = join(import.meta.dirname, '../..');
  return builtOf(version, await bundle({ root, entry: 'agent/single-file.ts', name: NAME, version }));
}

export function builtOf(version: string, text: string | Uint8Array): BuiltFile {
  const bytes = Buffer.from(text);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { name: NAME, version, bytes: async () => bytes, sha256 };
}

export type AgentFile = {
  path: string;
  dataDir: string;
  /** Runs it with these arguments until it ends by itself. */
  run: (words: readonly string[], env?: Record<string, string>) => Promise<Ended>;
  /** Starts it; killed with the test. */
  start: (words?: readonly string[]) => AgentProcess;
};
export type Ended = { code: number | null; output: string };
export type AgentProcess = {
  process: ChildProcess;
  output: () => string;
  /** Resolves when it has ended. */
  ended: Promise<Ended>;
  stop: () => Promise<Ended>;
};

/** The file on a machine, away from any packages, with a data folder of its own. */
export async function putAgent(t: TestContext, { bytes }: BuiltFile): Promise<AgentFile> {
  const folder = await agentFolder();
  const path = join(folder, NAME);
  const dataDir = join(folder, 'data');
  await writeFile(path, await bytes());
  const launch = (words: readonly string[], env: Record<string, string> = {}): AgentProcess => {
    const child = spawn(machineNode(), [path, ...words, '--data-dir', dataDir], {
      env: { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const add = (text: Buffer) => {
      output += text;
    };
    child.stdout.on('data', add);
    child.stderr.on('data', add);
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
    t.after(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { process: child, output: () => output, ended, stop };
  };
  return {
    path,
    dataDir,
    run: (words, env) => launch(words, env).ended,
    start: (words = []) => launch(words),
  };
}
