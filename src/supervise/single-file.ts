// One file of everything that a program consists of, for any Node from 20 on.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { versionLine } from '../platform/built-files.ts';

/** The syntax that is written; what Node 20 lacks beside it, `probe/node-20.ts` brings. */
const TARGET = 'node20';

/** A module of a thread, as bundlers know it: `new Worker(new URL('./worker.ts', import.meta.url))`. */
const OF_THREAD = /new URL\('\.\/[\w-]+\.ts', import\.meta\.url\)/g;

/** The module of a thread is in the same file; its entry knows what to do in a thread. */
const threadsInSameFile: Plugin = {
  name: 'threads in the same file',
  setup: (build) =>
    build.onLoad({ filter: /[\\/](?:agent|probe)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { loader: 'ts', contents: text.replace(OF_THREAD, 'new URL(import.meta.url)') };
    }),
};

/** Of package.json a program needs its version, and nobody needs the rest. */
const onlyVersion = (version: string): Plugin => ({
  name: 'only the version',
  setup: (build) =>
    build.onLoad({ filter: /[\\/]package\.json$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      return { loader: 'json', contents: JSON.stringify({ version }) };
    }),
});

/**
 * Node's own modules as `require` gives them: an import of one reads each of its exports, and some of them load what
 * a small program never needs (`fs.promises` alone takes 4 MB).
 */
const withoutFaces: Plugin = {
  name: 'modules of Node without their ECMAScript faces',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'of-node' } : { path, external: true },
    );
    build.onLoad({ filter: /./, namespace: 'of-node' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }));
  },
};

export type SingleFile = {
  /** Folder of the sources. */
  root: string;
  /** The module that it begins with, from the root. */
  entry: string;
  name: string;
  version: string;
};

/** The text of a program. The same sources give the same bytes, on whatever machine. Throws with esbuild's messages. */
export async function bundle({ root, entry, name, version }: SingleFile): Promise<Uint8Array> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(root, entry)],
    outfile: name,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: TARGET,
    charset: 'utf8',
    // Names stay, for what a stack trace says.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'eof',
    logLevel: 'silent',
    plugins: [
      ...[threadsInSameFile, onlyVersion(version)],
      // The probe uses much of Node anyway.
      ...(entry.startsWith('agent/') ? [withoutFaces] : []),
    ],
    banner: {
      js: [
        '#!/usr/bin/env node',
        versionLine(name, version),
        // Libraries in the older module format ask for Node's modules by it.
        "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
      ].join('\n'),
    },
  });
  return outputFiles[0]!.contents;
}

/** Ends esbuild's process, which would wait for the next build. */
export async function endBundling(): Promise<void> {
  const { stop } = await import('esbuild');
  await stop();
}
