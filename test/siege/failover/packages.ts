// Patroni, etcd, HAProxy and PostgreSQL: this machine's own if it has them, otherwise Debian's packages, unpacked into a folder
// of the siege. Nothing is installed. Patroni 3.0 of Debian 12 is not up to the siege (docs/high-availability.md), so there
// Debian 13's is taken, which runs with any Python.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGES = ['patroni', 'python3-etcd', 'python3-psycopg2', 'etcd-server', 'haproxy', 'postgresql'];
const PATIENCE_MS = 5 * 60_000;
const APT = '/usr/bin/apt-get';
const NEWER =
  'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian trixie main\n';

export type Programs = {
  etcd: string;
  haproxy: string;
  /** Folder of the programs of PostgreSQL. */
  postgresBin: string;
  /** Started as `python3 -m patroni`. */
  python: string;
  /** For all of them. */
  env: Record<string, string>;
};

/** Finds or unpacks them; throws a sentence if neither is possible. */
export async function providePrograms(folder: string): Promise<Programs> {
  const root = join(folder, 'packages');
  await mkdir(root);
  await unpackMissing(root);
  const lib = join(root, 'usr/lib');
  return {
    etcd: find(root, ['usr/bin/etcd']),
    haproxy: find(root, ['usr/sbin/haproxy']),
    postgresBin: postgresBin(root),
    python: '/usr/bin/python3',
    env: {
      PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
      LC_ALL: 'C',
      PYTHONPATH: join(lib, 'python3/dist-packages'),
      PYTHONDONTWRITEBYTECODE: '1',
      LD_LIBRARY_PATH: join(lib, 'x86_64-linux-gnu'),
    },
  };
}

async function unpackMissing(root: string): Promise<void> {
  if (!existsSync(APT))
    throw new Error(
      'This siege runs on Debian: it takes Patroni, etcd, HAProxy and PostgreSQL from its packages.',
    );
  const options = { timeout: PATIENCE_MS, cwd: root };
  const simulate = ['install', '--simulate', '--no-install-recommends', ...PACKAGES];
  const { stdout } = await run(APT, simulate, options).catch((error: Error) => {
    throw new Error(`apt-get does not know the packages; run apt-get update. ${error.message}`);
  });
  const missing = [...stdout.matchAll(/^Inst (\S+) \((\S+)/gm)];
  if (missing.length === 0) return;
  const isOld = missing.some(([, name, version = '']) => name === 'patroni' && version.startsWith('3.0.'));
  const names = missing.map(([, name = '']) => name).filter((name) => !isOld || name !== 'patroni');
  await run(APT, ['download', ...names], options);
  if (isOld) await downloadNewerPatroni(root);
  for (const name of (await readdir(root)).filter((each) => each.endsWith('.deb')))
    await run('/usr/bin/dpkg', ['--extract', name, '.'], options);
}

/** With lists of its own, so that the machine's apt does not know of it. */
async function downloadNewerPatroni(root: string): Promise<void> {
  const apt = join(root, 'apt');
  for (const folder of ['lists/partial', 'cache/archives/partial'])
    await mkdir(join(apt, folder), { recursive: true });
  await writeFile(join(apt, 'sources.list'), NEWER);
  const own = [
    `Dir::Etc::sourcelist=${apt}/sources.list`,
    'Dir::Etc::sourceparts=-',
    `Dir::State::lists=${apt}/lists`,
    `Dir::Cache=${apt}/cache`,
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  await run(APT, [...own, 'update'], { timeout: PATIENCE_MS, cwd: root });
  await run(APT, [...own, 'download', 'patroni'], { timeout: PATIENCE_MS, cwd: root });
}

function find(root: string, paths: readonly string[]): string {
  const found = paths.flatMap((path) => [join(root, path), join('/', path)]).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`There is no ${paths.join(' and no ')} on this machine.`);
  return found;
}

/** The newest available version. */
function postgresBin(root: string): string {
  const bins = [root, '/'].flatMap((base) => {
    const versions = join(base, 'usr/lib/postgresql');
    return existsSync(versions) ? readdirSync(versions).map((each) => join(versions, each, 'bin')) : [];
  });
  const found = bins
    .filter((bin) => existsSync(join(bin, 'pg_rewind')))
    .sort()
    .at(-1);
  if (found === undefined) throw new Error('There is no PostgreSQL with pg_rewind on this machine.');
  return found;
}
