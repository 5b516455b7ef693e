// A version of Tocsin as it was at a git revision, in a temporary folder.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const LOCKFILE = 'package-lock.json';

export type Checkout = AsyncDisposable & {
  dir: string;
  commit: string;
  /** Its first line. */
  subject: string;
  /** Name of its last migration. */
  lastMigration: string;
};

/** The newest tag that leads to this commit; null where there is none. */
export async function lastTag(): Promise<string | null> {
  return run('git', ['describe', '--tags', '--abbrev=0'], { cwd: ROOT }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}

/** The commit of a revision; null where git knows none. */
export async function commitOf(revision: string): Promise<string | null> {
  return run('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`], {
    cwd: ROOT,
  }).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}

/**
 * Writes the files of a commit into a temporary folder, without the dashboard, which nobody looks at. Its packages are those
 * of this checkout if the lockfiles are the same; else they are installed.
 */
export async function checkOut(commit: string, say: (line: string) => void): Promise<Checkout> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-version-'));
  const dispose = () => rm(dir, { recursive: true, force: true });
  try {
    await extract(commit, dir);
    const [own, theirs] = await Promise.all([ROOT, dir].map((at) => readFile(join(at, LOCKFILE), 'utf8')));
    if (own === theirs) await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    else {
      say('installing its packages: its lockfile is another one');
      await run('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], { cwd: dir });
    }
    const [listed, subject] = await Promise.all([
      run('git', ['ls-tree', '--name-only', commit, 'migrations/'], { cwd: ROOT }),
      run('git', ['log', '-1', '--format=%s', commit], { cwd: ROOT }),
    ]);
    return {
      dir,
      commit,
      subject: subject.stdout.trim(),
      lastMigration: listed.stdout.trim().split('\n').at(-1)?.replace('migrations/', '') ?? '',
      [Symbol.asyncDispose]: dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function extract(commit: string, dir: string): Promise<void> {
  const archive = spawn('git', ['archive', '--format=tar', commit, '--', '.', ':(exclude)web'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const tar = spawn('tar', ['-x', '-C', dir], { stdio: [archive.stdout, 'inherit', 'inherit'] });
  const codes = await Promise.all(
    [archive, tar].map(async (child) => ((await once(child, 'exit')) as [number | null])[0]),
  );
  if (codes.some((code) => code !== 0)) throw new Error(`The files of ${commit} could not be extracted.`);
}
