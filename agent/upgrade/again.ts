// Restarts this program if no service manager does: as its child, whose exit code becomes its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Resolves to the exit code of the program, started again with the same arguments. */
export async function runAgain(): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
  });
  const pass = (signal: NodeJS.Signals) => child.kill(signal);
  process.on('SIGTERM', pass).on('SIGINT', pass);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}
