// The programs as JavaScript: Node refuses to strip types below node_modules, where an installed package lies.
import { globSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const FOLDERS = ['src', 'probe', 'agent'];

/**
 * The path of a module, as an import, a thread and a child process name it: from the file that says it (`./`, `../`), or
 * from the root (`#src/`).
 */
const OF_MODULE = /"((?:\.{1,2}|#src|#probe|#agent)\/[^"\n]*)\.ts"/g;

/**
 * The compiled text of a module, with the new names of the modules that it names. Throws where it names one in a way that
 * is not seen by its text.
 */
export function renamed(path: string, compiled: string): string {
  const text = compiled.replace(OF_MODULE, '"$1.js"');
  const missed = text.split('\n').find((line) => line.includes('import.meta.') && /\.ts["'`]/.test(line));
  if (missed) throw new Error(`${path}: begin the path with ./ or ../ in: ${missed.trim()}`);
  return text;
}

/**
 * Writes every module of the programs, compiled by itself, and every file that is none. All keep their places, so whatever
 * is found by a path is found as in the sources.
 */
export async function compile(root: string, to: string): Promise<void> {
  const files = globSync(`{${FOLDERS.join(',')}}/**/*.*`, { cwd: root }).filter(
    (path) => !path.endsWith('.test.ts'),
  );
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: files.filter((path) => path.endsWith('.ts')),
    outbase: root,
    outdir: to,
    write: false,
    platform: 'node',
    format: 'esm',
    // The syntax stays as it is: the same Node runs it.
    target: 'esnext',
    charset: 'utf8',
    logLevel: 'silent',
  });
  await Promise.all([
    ...outputFiles.map(({ path, text }) => put(path, renamed(path, text))),
    ...files
      .filter((path) => !path.endsWith('.ts'))
      .map((path) => cp(join(root, path), join(to, path), { recursive: true })),
  ]);
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
