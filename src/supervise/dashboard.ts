// The dashboard is built on the first start and whenever its sources are newer than the build.
import { execFile } from 'node:child_process';
import { access, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemEnvironment } from '../config/child-environment.ts';
import type { Log } from '../platform/log.ts';
import { changedAtMs, newestMs, sourcesIn } from './newest-source.ts';

const run = promisify(execFile);
/** Time limit of a build. */
const BUILD_WITHIN_MS = 10 * 60_000;
const ROOT = join(import.meta.dirname, '../..');

/**
 * Builds the dashboard if needed and returns its folder; null if there is none to serve. A failed build is logged and never
 * stops the server: monitoring goes on without pages.
 */
export async function readyDashboard(log: Log, signal: AbortSignal, root = ROOT): Promise<string | null> {
  const built = join(root, 'dist/web');
  const builtAtMs = await changedAtMs(join(built, 'index.html'));
  const sourceAtMs = await newestSourceMs(root);
  const there = builtAtMs > 0 ? built : null;
  if (there && builtAtMs >= sourceAtMs) return there;
  if (sourceAtMs === 0) {
    log.warn('there is no dashboard: neither a build in dist/web nor its sources in web');
    return null;
  }
  const vite = findVite();
  if (!vite) {
    log.warn('the dashboard cannot be built without its development packages; run npm ci --include=dev');
    return there;
  }
  const started = performance.now();
  log.info(there ? 'the dashboard changed; building it' : 'building the dashboard (the first start only)');
  try {
    await build(root, vite, built, signal);
    log.info({ took_ms: Math.round(performance.now() - started) }, 'dashboard built');
    return built;
  } catch (error) {
    if (signal.aborted) return there;
    const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
    log.error(
      { output: `${stderr ?? ''}${stdout ?? ''}`.trim() || message },
      'the dashboard could not be built',
    );
    return there;
  }
}

/** Built beside its place and moved there when whole: a build that is broken off leaves the old one. */
async function build(root: string, vite: string, built: string, signal: AbortSignal): Promise<void> {
  const fresh = `${built}.new-${process.pid}`;
  const old = `${built}.old-${process.pid}`;
  try {
    const words = [
      vite,
      'build',
      join(root, 'web'),
      '--outDir',
      fresh,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ];
    const env = { ...systemEnvironment(), NODE_ENV: 'production', NO_COLOR: '1' };
    await run(process.execPath, words, {
      cwd: root,
      env,
      signal,
      windowsHide: true,
      timeout: BUILD_WITHIN_MS,
    });
    await rm(old, { recursive: true, force: true });
    await rename(built, old).catch(() => undefined);
    await rename(fresh, built);
  } finally {
    await rm(old, { recursive: true, force: true });
    await rm(fresh, { recursive: true, force: true });
  }
}

function findVite(): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  } catch {
    return null;
  }
}

/** Milliseconds of the newest file the dashboard is made of: web/, the contracts and the pure core. 0: no web/. */
async function newestSourceMs(root: string): Promise<number> {
  const web = join(root, 'web');
  if (
    !(await access(join(web, 'index.html')).then(
      () => true,
      () => false,
    ))
  )
    return 0;
  const [ofWeb, ofSource] = await Promise.all([
    sourcesIn(web),
    sourcesIn(
      join(root, 'src'),
      (path) => path.endsWith('contract.ts') || /[\\/](domain|config)[\\/]/.test(path),
    ),
  ]);
  return newestMs([...ofWeb, ...ofSource]);
}
