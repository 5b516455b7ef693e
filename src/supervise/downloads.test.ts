import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { machineNode } from '#test/harness/machine-node.ts';
import { readBuiltFiles } from '../platform/built-files.ts';
import { createLog } from '../platform/log.ts';
import { readyDownloads } from './downloads.ts';

const run = promisify(execFile);
const silent = createLog('silent');
const { signal } = new AbortController();

async function tree() {
  const root = await mkdtemp(join(tmpdir(), 'tocsin-downloads-'));
  const write = async (path: string, text: string, atMs?: number) => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
    if (atMs !== undefined) await utimes(join(root, path), atMs / 1000, atMs / 1000);
  };
  await write('package.json', '{"version": "1.2.3", "type": "module", "scripts": {"secret": "word"}}', 1e12);
  return { root, write, [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }) };
}

const AGENT = `import info from '../package.json' with { type: 'json' };
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
/** @license of somebody */
export function named(): string { return info.version; }
if (isMainThread) new Worker(new URL('./thread.ts', import.meta.url)).on('message', (said) => console.log(said, named()));
else await import('./thread.ts');
`;
const THREAD = `import { parentPort } from 'node:worker_threads';\nparentPort?.postMessage('from the thread');\n`;

test('a program with its threads becomes one file that runs on the machine’s Node', async () => {
  await using its = await tree();
  await its.write('agent/single-file.ts', AGENT);
  await its.write('agent/thread.ts', THREAD);
  const dir = await readyDownloads(silent, signal, its.root);
  const file = (await readBuiltFiles(dir))['tocsin-agent.mjs'];
  assert.equal(file?.version, '1.2.3');
  const bytes = await file.bytes();
  const text = bytes.toString();
  assert.match(text, /^#!\/usr\/bin\/env node\n\/\/ tocsin-agent\.mjs 1\.2\.3\n/);
  assert.match(text, /@license of somebody/);
  assert.doesNotMatch(text, /secret|word/, 'nothing else of package.json');
  const alone = join(its.root, 'alone.mjs');
  await writeFile(alone, bytes);
  const { stdout } = await run(machineNode(), [alone]);
  assert.equal(stdout, 'from the thread 1.2.3\n');
});

test('it is rebuilt only if a source is newer, and equal sources give equal bytes', async () => {
  await using its = await tree();
  await its.write('agent/single-file.ts', `console.log('one')`, 1e12);
  const dir = await readyDownloads(silent, signal, its.root);
  const first = await readFile(join(dir, 'tocsin-agent.mjs'));
  await writeFile(join(dir, 'tocsin-agent.mjs'), 'marker');
  await readyDownloads(silent, signal, its.root);
  assert.equal(
    await readFile(join(dir, 'tocsin-agent.mjs'), 'utf8'),
    'marker',
    'nothing changed, nothing built',
  );
  await its.write('src/domain/thing.ts', '', Date.now() + 5000);
  await readyDownloads(silent, signal, its.root);
  assert.deepEqual(await readFile(join(dir, 'tocsin-agent.mjs')), first);
  assert.deepEqual(await readdir(dir), ['tocsin-agent.mjs'], 'no leftovers, and no file without sources');
});

test('a failed build is logged, keeps the last good file and does not stop the server', async () => {
  await using its = await tree();
  await its.write('dist/download/tocsin-probe.mjs', '// tocsin-probe.mjs 1.0.0\n', 1e12 - 5000);
  await its.write('probe/single-file.ts', `import './missing.ts'`);
  const lines: string[] = [];
  const log = createLog('error', false, (line) => void lines.push(line));
  const dir = await readyDownloads(log, signal, its.root);
  assert.equal((await readBuiltFiles(dir))['tocsin-probe.mjs']?.version, '1.0.0');
  assert.match(lines.join(), /Could not resolve \\".\/missing.ts\\"/);
});

test('only built files are served', async () => {
  await using its = await tree();
  await its.write('dist/download/tocsin-agent.mjs', 'half a fi');
  assert.deepEqual(await readBuiltFiles(join(its.root, 'dist/download')), {});
  assert.deepEqual(await readBuiltFiles(null), {});
});
