// Agent and probe are built as single files on the first start, and whenever their sources are newer than the build.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT_FILES, type BuiltFileName } from '../platform/built-files.ts';
import type { Log } from '../platform/log.ts';
import { changedAtMs, newestMs, sourcesIn } from './newest-source.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Everything that they may be made of, and what says which libraries and which version. */
const FOLDERS = ['agent', 'probe', 'src'];
const FILES = ['package.json', 'package-lock.json'];

/**
 * Builds what is missing or outdated, and returns the folder. A failed build is logged, leaves the last good file, and never
 * stops the server: monitoring goes on without downloads.
 */
export async function readyDownloads(log: Log, signal: AbortSignal, root = ROOT): Promise<string> {
  const dir = join(root, 'dist/download');
  const sources = await Promise.all(FOLDERS.map((folder) => sourcesIn(join(root, folder))));
  const newest = await newestMs([...sources.flat(), ...FILES.map((file) => join(root, file))]);
  const missing: BuiltFileName[] = [];
  for (const name of Object.keys(BUILT_FILES) as BuiltFileName[]) {
    const hasSources = (await changedAtMs(join(root, BUILT_FILES[name]))) > 0;
    if (hasSources && (await changedAtMs(join(dir, name))) < newest) missing.push(name);
  }
  if (missing.length > 0 && !signal.aborted) await build(missing, { root, dir, log, signal });
  return dir;
}

type Place = { root: string; dir: string; log: Log; signal: AbortSignal };

async function build(names: readonly BuiltFileName[], { root, dir, log, signal }: Place): Promise<void> {
  const started = performance.now();
  const { bundle, endBundling } = await import('./single-file.ts');
  try {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
    await mkdir(dir, { recursive: true });
    await Promise.all(
      names.map(async (name) => {
        try {
          const bytes = await bundle({ root, entry: BUILT_FILES[name], name, version });
          if (!signal.aborted) await putWhole(join(dir, name), bytes);
        } catch (error) {
          if (!signal.aborted)
            log.error({ file: name, output: messageOf(error) }, 'a download could not be built');
        }
      }),
    );
    log.info({ took_ms: Math.round(performance.now() - started) }, 'downloads of agent and probe built');
  } catch (error) {
    log.error({ output: messageOf(error) }, 'the downloads could not be built');
  } finally {
    await endBundling().catch(() => undefined);
  }
}

/** Written beside its place and moved there when whole: nobody ever sees half a file. */
async function putWhole(path: string, bytes: Uint8Array): Promise<void> {
  const fresh = `${path}.new-${process.pid}`;
  try {
    await writeFile(fresh, bytes);
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
