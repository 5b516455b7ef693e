// Unpacks the programs of the siege, then runs it in a network of its own: links come and go in it, and each change of a
// machine's network breaks the connections of the browsers there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mayMakeNamespaces } from '#test/harness/partition/namespaces.ts';
import { providePrograms } from './packages.ts';

/** Environment variable with the programs, as JSON (`Programs`). */
export const PROGRAMS_VARIABLE = 'TOCSIN_SIEGE_PROGRAMS';

/** Resolves to the exit code of the siege. */
export async function runApart(options: readonly string[]): Promise<number> {
  const isAsked = options.some((option) => option === '--help' || option === '-h');
  if (isAsked) return run([process.execPath, SIEGE, ...options], {});
  if (!(await mayMakeNamespaces())) {
    process.stderr.write('This siege makes network namespaces: run it as root on Linux.\n');
    return 2;
  }
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-siege-'));
  try {
    await chmod(folder, 0o755); // PostgreSQL does not run as root
    process.stderr.write('unpacking Patroni, etcd, HAProxy and PostgreSQL\n');
    const programs = JSON.stringify(await providePrograms(folder));
    const script = 'ip link set lo up && exec "$@"';
    const command = ['unshare', '--net', '--', 'sh', '-c', script, 'sh', process.execPath, SIEGE, ...options];
    return await run(command, { [PROGRAMS_VARIABLE]: programs });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SIEGE = join(import.meta.dirname, 'siege.ts');

async function run([program = '', ...rest]: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(program, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, pass);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
