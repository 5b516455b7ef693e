// The units of docs/systemd, as systemd itself judges them.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT } from '#test/harness/imports.ts';
import { findServer } from '#test/harness/provide-servers.ts';

const program = findServer('systemd-analyze');
const skip = program === null && 'no systemd on this machine';
/** Of 10: systemd says "OK" below 5. What is left is the network, Node's compiler, and ping. */
const MAX_EXPOSED = 2;

const analyze = (...words: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    execFile(program ?? '', words, { env: { ...process.env, SYSTEMD_COLORS: '0' } }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: `${out}${err}` }),
    );
  });

for (const name of ['tocsin.service', 'tocsin-probe.service'])
  test(`systemd accepts ${name}, and rates it as well isolated`, { skip }, async (t) => {
    const dir = await mkdtemp(join(tmpdir(), 'tocsin-unit-'));
    t.after(() => rm(dir, { recursive: true, force: true }));
    const text = await readFile(join(ROOT, 'docs/systemd', name), 'utf8');
    const path = join(dir, name);
    // It looks whether the program is there.
    await writeFile(path, text.replace(/^ExecStart=\S+/m, `ExecStart=${process.execPath}`));
    const verified = await analyze('verify', path);
    // It also reads the units of the machine, which may be wrong in their own ways.
    const ours = verified.output.split('\n').filter((line) => line.includes(name));
    assert.deepEqual(ours, []);

    const { output } = await analyze('security', '--offline=true', '--no-pager', path);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(output) ?? [];
    assert.ok(Number(exposure) < MAX_EXPOSED, output);
  });
