// The program of a checkout as a few files of JavaScript, dist/program: less memory, and a faster start, than 2,400 modules
// each with its own text. `bin/tocsin.js` runs this file when a source is newer.
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { SourceMapPayload } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { LEFT_ALONE, LIBRARIES_IN_PARTS } from './libraries.ts';

const ROOT = join(import.meta.dirname, '..');
const TO = join(ROOT, 'dist/program');

/** Every file that a process or a thread begins with, by the name of what is made of it. */
const ENTRIES = {
  main: 'src/main.ts',
  'server-process': 'src/supervise/server-process.ts',
  'pdf-thread': 'src/reports/pdf/worker.ts',
  'judge-thread': 'probe/assertions/worker.ts',
};

/** A module that somebody may be running is kept this long after it has been replaced: it may load a part late. */
const KEPT_MS = 30 * 86_400_000;

/** `join(import.meta.dirname, './server-process.ts')`, `new URL('./worker.ts', import.meta.url)`. */
const OF_ENTRY =
  /(join\(import\.meta\.dirname, |new URL\()'(\.\.?\/[\w./-]+\.ts)'(, import\.meta\.url\)|\))/g;

const slashed = (path: string) => path.replaceAll('\\', '/');

/**
 * The text of a module with its places named from where it will lie: an entry is beside it, and whatever else it finds by its
 * own path is where the source is.
 */
export function moved(path: string, text: string): string {
  const dir = slashed(relative(TO, dirname(path)));
  const file = slashed(relative(TO, path));
  const pathAt = (place: string) =>
    `require('node:path').join(import.meta.dirname, ${JSON.stringify(place)})`;
  return text
    .replace(OF_ENTRY, (all, before: string, named: string, after: string) => {
      const source = slashed(relative(ROOT, join(dirname(path), named)));
      const [name] = Object.entries(ENTRIES).find(([, entry]) => entry === source) ?? [];
      if (name === undefined) throw new Error(`${path}: ${all} is no entry of pack/program.ts`);
      return `${before}'./${name}.js'${after}`;
    })
    .replaceAll(/import\.meta\.dirname(?!, '\.\/[\w-]+\.js')/g, pathAt(dir))
    .replaceAll('import.meta.filename', pathAt(file))
    .replaceAll(/(?<!\.js', )import\.meta\.url/g, `new URL(${JSON.stringify(file)}, import.meta.url).href`);
}

const inTheirPlaces: Plugin = {
  name: 'paths from where the file will lie',
  setup: (building) =>
    building.onLoad({ filter: /[\\/](?:agent|probe|src)[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      // What this module writes of import.meta is for other files.
      const own = path.endsWith('single-file.ts') || path.includes('node_modules') ? text : moved(path, text);
      return { loader: 'ts', contents: own };
    }),
};

/** A built file's source map, for stack traces; its sources are named as in this folder. */
function sourceMap(text: string): string {
  const payload = JSON.parse(text) as SourceMapPayload;
  const sources = payload.sources.map((source) => slashed(relative(ROOT, join(TO, source))));
  return JSON.stringify({ ...payload, sources });
}

/**
 * A library in the older module format that is loaded late: esbuild makes a file of it that exports nothing by name, and
 * whoever loads it finds nothing. Such a library is left alone.
 */
const HAS_NO_NAMES = /\bexport default require_\w+\(\);\s*$/;

/** esbuild leaves such characters in regular expressions and tagged templates, where the escape means the same. */
const inAscii = (text: string) =>
  text.replace(/[^\0-\x7f]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

export type BuiltModule = { path: string; text: string };

/** The modules that these, by their names, and everything they load become, each with its source map beside it. */
export async function bundled(entries: Readonly<Record<string, string>>): Promise<BuiltModule[]> {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: { ...entries },
    outdir: TO,
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'esnext',
    // With one character beyond ASCII, each of them takes two bytes of memory as long as the process runs.
    charset: 'ascii',
    minifySyntax: true,
    minifyWhitespace: true,
    // Node prints the line of an error that nothing has caught.
    lineLimit: 160,
    legalComments: 'none',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    external: LEFT_ALONE,
    plugins: [inTheirPlaces, ...LIBRARIES_IN_PARTS],
    banner: {
      js: [
        // Libraries in the older module format ask for these.
        "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
        'const __dirname=import.meta.dirname,__filename=import.meta.filename;',
      ].join(''),
    },
  });
  const nameless = outputFiles.find(({ path, text }) => path.endsWith('.js') && HAS_NO_NAMES.test(text));
  if (nameless) throw new Error(`${nameless.path} is a library whose names are lost: add it to LEFT_ALONE`);
  return outputFiles.map(({ path, text }) => ({
    path,
    text: path.endsWith('.map') ? sourceMap(text) : inAscii(text),
  }));
}

async function put(path: string, text: string): Promise<void> {
  const fresh = `${path}.new-${process.pid}`;
  await writeFile(fresh, text);
  await rename(fresh, path);
}

async function main(): Promise<void> {
  const startedAt = new Date();
  const built = await bundled(
    Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, join(ROOT, path)])),
  );
  await mkdir(TO, { recursive: true });
  const isEntry = ({ path }: BuiltModule) => Object.keys(ENTRIES).includes(basename(path, '.js'));
  // The entries last: what they load, and all maps, are there by then.
  for (const { path, text } of [...built.filter((each) => !isEntry(each)), ...built.filter(isEntry)])
    await put(path, text);
  const own = new Set(built.map(({ path }) => basename(path)));
  for (const name of await readdir(TO)) {
    const path = join(TO, name);
    const isOld = (await stat(path)).mtimeMs < startedAt.getTime() - KEPT_MS;
    if (isOld && !own.has(name)) await rm(path, { force: true });
  }
  // A source that was changed meanwhile is newer.
  await utimes(join(TO, 'main.js'), startedAt, startedAt);
}

if (import.meta.main)
  main().catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  });
