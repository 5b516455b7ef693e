#!/usr/bin/env node
// Plain JavaScript, for whatever Node runs it: hands over to the Node 26 that npm installed beside Tocsin. A checkout builds a
// few files of its TypeScript and runs those, or the TypeScript itself where it cannot build; an installed package has it
// compiled, because Node strips no types below node_modules.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const source = join(root, 'src/main.ts');
const main = existsSync(source) ? source : join(root, 'dist/app/src/main.js');

const own = createRequire(import.meta.url).resolve('node/package.json');
const node = join(dirname(own), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const { version } = createRequire(import.meta.url)(own);

const isRecent = Number.parseInt(process.versions.node, 10) >= 26;
if (process.versions.node === version || (isRecent && !existsSync(node))) {
  const program = main === source ? built() : main;
  process.argv[1] = program;
  // Before the first TypeScript is read: Node's compiler, once loaded, keeps 15 MB.
  module.enableCompileCache(join(dirname(main), '../node_modules/.cache/tocsin'));
  await import(pathToFileURL(program).href);
} else if (!existsSync(node)) {
  console.error(
    `Tocsin runs on Node ${version}, which is missing (${node}): npm was not allowed to run the install script of the ` +
      'package "node". Run npm rebuild node --ignore-scripts=false in this folder, or start Tocsin with a Node of version 26 or later.',
  );
  process.exitCode = 1;
} else {
  // A small nursery: 20 MB less memory for a little more collecting.
  const child = spawn(node, ['--max-semi-space-size=4', main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // The terminal's Ctrl-C reaches the child by itself; what is sent to this process alone is passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(
      `Tocsin's own Node (${node}) could not be started: ${error.message}. Install Tocsin again.`,
    );
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}

/** The program that is built of the sources, first built anew where one of them is newer; the source itself where that fails. */
function built() {
  const program = join(root, 'dist/program/main.js');
  const files = ['src', 'probe', 'agent', 'pack'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
      .map((name) => join(folder, name)),
  );
  const newestMs = Math.max(...[...files, 'package-lock.json'].map((name) => changedAtMs(join(root, name))));
  if (changedAtMs(program) >= newestMs) return program;
  // A process of its own: what it loads is not needed again. Its words are about what a user cannot change.
  spawnSync(process.execPath, [join(root, 'pack/program.ts')], { stdio: 'ignore' });
  return changedAtMs(program) >= newestMs ? program : source;
}

function changedAtMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
