#!/usr/bin/env node
// Plain JavaScript, for whatever Node runs it: hands over to the Node 26 that npm installed beside Tocsin.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const main = join(dirname(fileURLToPath(import.meta.url)), '../src/main.ts');

if (Number.parseInt(process.versions.node, 10) >= 26) {
  process.argv[1] = main;
  await import(pathToFileURL(main).href);
} else {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'));
  const node = join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  // A small nursery: 20 MB less memory for a little more collecting.
  const child = spawn(node, ['--max-semi-space-size=4', main, ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // The terminal's Ctrl-C reaches the child by itself; what is sent to this process alone is passed on.
  process.on('SIGINT', () => undefined);
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`Tocsin's own Node could not be started (${error.message}). Run npm ci again.`);
    process.exit(1);
  });
  child.on('exit', (code) => process.exit(code ?? 1));
}
