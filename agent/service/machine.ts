// Carries out the steps of an installation. Tests use a machine of their own.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Step, TOKEN_VARIABLE } from './steps.ts';

export type Machine = {
  /** Runs a program without a shell; returns its exit code. Throws if it cannot be started. */
  run(words: readonly string[], options?: RunOptions): number;
  folder(path: string, mode: number): void;
  file(path: string, mode: number, bytes: string | Uint8Array): void;
  read(path: string): Uint8Array;
  remove(path: string): void;
  say(text: string): void;
};

export type RunOptions = {
  /** The account that the program runs as; by default its own user. */
  user?: string | null;
  env?: Readonly<Record<string, string>>;
  /** Its error output is expected. */
  quiet?: boolean;
};

/** Carries out the steps in order; throws a sentence at the first that fails, and stops there. */
export function carryOut(steps: readonly Step[], machine: Machine, token: string | undefined): void {
  for (const step of steps) {
    switch (step.kind) {
      case 'run': {
        const code = machine.run(step.words, { quiet: step.mayFail === true });
        if (code !== 0 && !step.mayFail)
          throw new Error(`This failed (exit code ${code}): ${step.words.join(' ')}`);
        break;
      }
      case 'folder':
        machine.folder(step.path, step.mode);
        break;
      case 'file':
        machine.file(step.path, step.mode, step.text);
        break;
      case 'copy':
        machine.file(step.to, step.mode, machine.read(step.from));
        break;
      case 'remove':
        machine.remove(step.path);
        break;
      case 'enrol': {
        const env: Record<string, string> = token === undefined ? {} : { [TOKEN_VARIABLE]: token };
        // The program has printed the reason.
        if (machine.run(step.words, { user: step.user, env }) !== 0)
          throw new Error('This machine is not enrolled, so the service was not installed.');
        break;
      }
      case 'note':
        machine.say(step.text);
    }
  }
}

/** This machine. */
export const thisMachine: Machine = {
  run(words, { user, env = {}, quiet = false } = {}) {
    const [program = '', ...rest] = words;
    const as = user ? idsOf(user) : {};
    // None of our variables but the PATH: the account has its own home, or none.
    const { PATH = '/usr/sbin:/usr/bin:/sbin:/bin' } = process.env;
    const plain = user ? { PATH } : process.env;
    const { error, status } = spawnSync(program, rest, {
      ...as,
      cwd: '/',
      env: { ...plain, ...env },
      stdio: ['ignore', 'inherit', quiet ? 'ignore' : 'inherit'],
    });
    if (error) throw new Error(`${program} cannot be started (${error.message}).`);
    return status ?? 1;
  },
  folder(path, mode) {
    mkdirSync(path, { recursive: true, mode });
  },
  file(path, mode, bytes) {
    // Written in one step, because a service may be starting from it.
    const unfinished = `${path}.new`;
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, bytes, { mode, flag: 'wx', flush: true });
    chmodSync(unfinished, mode);
    renameSync(unfinished, path);
  },
  read: (path) => readFileSync(path),
  remove: (path) => rmSync(path, { recursive: true, force: true }),
  say: (text) => void process.stdout.write(`${text}\n`),
};

function idsOf(user: string): { uid: number; gid: number } {
  const idOf = (flag: string) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout);
  const [uid, gid] = [idOf('-u'), idOf('-g')];
  if (!(uid > 0 && gid >= 0)) throw new Error(`There is no account ${user} on this machine.`);
  return { uid, gid };
}
