// A command of Tocsin as a person types it.
import { type ChildProcess, spawn } from 'node:child_process';
import { programPath } from './program.ts';

/**
 * A `tocsin` process on a data directory; with `during` its standard input stays open; `more`: further environment variables.
 */
export function tocsin(
  dataDir: string,
  words: readonly string[],
  during?: (child: ChildProcess) => void,
  more: Record<string, string> = {},
) {
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    const child = spawn(process.execPath, [programPath(), ...words], {
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'warn',
        CANARIES: 'none',
        ...more,
      },
    });
    const said = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => {
      said.out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
    });
    child.once('close', (code) => resolve({ code, ...said }));
    if (during) during(child);
    else child.stdin.end();
  });
}
