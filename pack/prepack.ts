// What `npm pack` runs first: makes dist/app, which is everything that a start would otherwise have to build.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BUILT_FILES } from '#src/platform/built-files.ts';
import { createLog } from '#src/platform/log.ts';
import { readyDashboard } from '#src/supervise/dashboard.ts';
import { readyDownloads } from '#src/supervise/downloads.ts';
import { compile } from './compile.ts';

const ROOT = join(import.meta.dirname, '..');
const APP = join(ROOT, 'dist/app');

/** What the programs read of their package.json: their version, the programs they run on, the meaning of `#src/`. */
const FIELDS = ['name', 'version', 'license', 'type', 'imports', 'dependencies'];

/** A server goes on without a dashboard and without downloads; a tarball without them is refused. */
async function built(): Promise<{ dashboard: string; downloads: string }> {
  const faults: string[] = [];
  const log = createLog('warn', false, (line) => void faults.push(line));
  const { signal } = new AbortController();
  const dashboard = await readyDashboard(log, signal);
  const downloads = await readyDownloads(log, signal);
  if (dashboard === null || faults.length > 0) throw new Error(faults.join('\n'));
  return { dashboard, downloads };
}

async function main(): Promise<void> {
  const { dashboard, downloads } = await built();
  await rm(APP, { recursive: true, force: true });
  await mkdir(APP, { recursive: true });
  await compile(ROOT, APP);
  await cp(join(ROOT, 'migrations'), join(APP, 'migrations'), { recursive: true });
  await cp(dashboard, join(APP, 'dist/web'), { recursive: true });
  for (const name of Object.keys(BUILT_FILES))
    await cp(join(downloads, name), join(APP, 'dist/download', name));
  const all = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown>;
  const own = Object.fromEntries(FIELDS.map((field) => [field, all[field]]));
  await writeFile(join(APP, 'package.json'), `${JSON.stringify(own, null, 2)}\n`);
}

await main();
