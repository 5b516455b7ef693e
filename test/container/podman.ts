// Podman with everything of its own in one folder: images, containers, volumes and networks are gone with it.
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Programs by the Debian packages that bring them. */
export const NEEDED = {
  buildah: 'buildah',
  podman: 'podman',
  'podman-compose': 'podman-compose',
  runc: 'runc',
  mmdebstrap: 'mmdebstrap',
  // Podman's own, in no folder of the PATH.
  '../lib/podman/netavark': 'netavark',
  '../lib/podman/aardvark-dns': 'aardvark-dns',
} as const;

export type Said = { code: number; out: string; err: string };

export type Podman = {
  /** A folder for files beside it. */
  dir: string;
  /** Runs a program with this Podman's settings; never throws for a code. */
  say: (program: string, words: readonly string[], cwd?: string) => Promise<Said>;
  /** `podman WORDS`: what it prints, without the space at the end. Throws what it complains of. */
  run: (...words: string[]) => Promise<string>;
  /** Builds an image from a folder, with the network of the machine. */
  build: (tag: string, folder: string, file: string, more?: readonly string[]) => Promise<void>;
  /** Ends every container, and removes the folder. */
  end: () => Promise<void>;
};

/** Memory is too small for layers, and the temporary folder may be in memory. */
const PLACE = '/var/tmp';
/** What a container may have open and start; the limits of the machine where they are lower. */
const MAX_FILES = 65_536;
const MAX_PROCESSES = 16_384;
const MAX_OUTPUT = 64 * 1024 * 1024;

/** Needs root. What runs when `signal` is aborted is ended. */
export async function openPodman(signal: AbortSignal): Promise<Podman> {
  const dir = await mkdtemp(join(PLACE, 'tocsin-container-'));
  const hasOverlay = /\boverlay$/m.test(readFileSync('/proc/filesystems', 'utf8'));
  const files = Math.min(MAX_FILES, hardLimitOfFiles());
  const containers = join(dir, 'containers.conf');
  const storage = join(dir, 'storage.conf');
  await mkdir(join(dir, 'networks'));
  // Without systemd nobody else makes groups of processes; and runc takes them of both versions at once.
  await writeFile(
    containers,
    `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=${MAX_PROCESSES}:${MAX_PROCESSES}"]
[network]
network_backend = "netavark"
network_config_dir = "${join(dir, 'networks')}"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
`,
  );
  await writeFile(
    storage,
    `[storage]
driver = "${hasOverlay ? 'overlay' : 'vfs'}"
graphroot = "${join(dir, 'storage')}"
runroot = "${join(dir, 'run')}"
`,
  );
  const settings = { CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage };
  const env = { ...process.env, ...settings, TMPDIR: dir };
  const running = new Set<Promise<unknown>>();

  const start = (
    program: string,
    words: readonly string[],
    options: { cwd?: string; signal?: AbortSignal },
  ) =>
    new Promise<Said>((resolve) => {
      const child = execFile(program, words, { cwd: dir, ...options, env, maxBuffer: MAX_OUTPUT });
      let out = '';
      let err = '';
      child.stdout?.on('data', (text: string) => {
        out += text;
      });
      child.stderr?.on('data', (text: string) => {
        err += text;
      });
      child.on('error', (error) => {
        err += error.message;
      });
      child.on('close', (code) => resolve({ code: code ?? 1, out, err }));
    });
  const say: Podman['say'] = async (program, words, cwd = dir) => {
    const said = start(program, words, { cwd, signal });
    running.add(said);
    return said.finally(() => running.delete(said));
  };
  const need = async (program: string, words: readonly string[]) => {
    const { code, out, err } = await say(program, words);
    if (code !== 0) throw new Error(`${program} ${words.join(' ')}\n${(out + err).slice(-4_000)}`);
    return out.trimEnd();
  };
  return {
    dir,
    say,
    run: (...words) => need('podman', words),
    async build(tag, folder, file, more = []) {
      const words = ['bud', '--format', 'docker', '--isolation', 'chroot', '--network', 'host'];
      await need('buildah', [...words, ...more, '--tag', tag, '--file', file, folder]);
    },
    async end() {
      await Promise.allSettled(running);
      await start('podman', ['rm', '--all', '--force', '--time', '15'], {});
      await start('podman', ['system', 'reset', '--force'], {});
      for (const path of mountsBelow(dir)) await start('umount', ['--lazy', path], {});
      await rm(dir, { recursive: true, force: true });
    },
  };
}

const hardLimitOfFiles = () =>
  Number(execFileSync('/bin/sh', ['-c', 'ulimit -H -n'], { encoding: 'utf8' })) || MAX_FILES;

/** What a build or a container that was broken off left mounted, the innermost first. */
const mountsBelow = (dir: string) =>
  readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${dir}/`))
    .reverse();
