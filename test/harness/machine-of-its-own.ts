// A machine to install on: this one, in a mount namespace where /etc, /var/lib, /usr/local/lib and /run belong to the test, and
// where `systemctl` records its arguments. All files written there disappear with the namespace.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { machineNode } from './machine-node.ts';

const run = promisify(execFile);

/** Why there is none; undefined if there is. */
export function noMachine(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux';
  if (/^\/(?:home|root)\//.test(machineNode())) return 'Node is in a home folder';
  try {
    execFileSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /run && command -v useradd setpriv'], {
      stdio: 'ignore',
    });
    return undefined;
  } catch {
    return 'needs a mount namespace, useradd and setpriv';
  }
}

export type Outcome = { code: number; output: string; asked: string[] };

/** Runs a shell script on such a machine, as root. `asked`: the arguments of systemctl, in order. */
export async function onMachine(
  t: TestContext,
  script: string,
  env: Record<string, string>,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-machine-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const log = join(folder, 'systemctl.log');
  await mkdir(join(folder, 'bin'));
  const systemctl = `#!/bin/sh\nif [ "$1" = --version ]; then echo 'systemd 252 (252)'; else echo "$*" >> ${log}; fi\n`;
  await writeFile(join(folder, 'bin/systemctl'), systemctl, { mode: 0o755 });
  await writeFile(log, '');
  const prepared = `set -eu
cp -a /etc ${folder}/etc
mount --bind ${folder}/etc /etc
for each in /run /var/lib /usr/local/lib; do mount -t tmpfs -o mode=755 tmpfs $each; done
mkdir -p /run/systemd/system
${script}`;
  const PATH = `${folder}/bin:${dirname(machineNode())}:/usr/sbin:/usr/bin:/sbin:/bin`;
  const ended = await run('unshare', ['-m', '/bin/sh', '-c', `{\n${prepared}\n} 2>&1`], {
    env: { ...env, PATH },
    timeout: 120_000,
  }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout }) => ({ code: Number(code), output: String(stdout) }),
  );
  const asked = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
  return { ...ended, asked };
}
