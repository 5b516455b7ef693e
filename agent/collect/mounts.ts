import { isMount } from '#src/domain/agent.ts';

/** Media that are always full, and images of programs. */
const NO_DISK = ['squashfs', 'iso9660', 'udf', 'erofs', 'cramfs', 'romfs'];
/** File systems whose source is a pool rather than a device. */
const POOLS = ['zfs', 'btrfs', 'bcachefs'];

type Mount = { disk: string; mount: string };

/**
 * The mount points of disks, from the text of /proc/self/mountinfo: one for each disk, at its shortest path. Memory, overlays,
 * network mounts and bind mounts are not disks of this machine.
 */
export function diskMounts(text: string): string[] {
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const parsed = readLine(line);
    if (parsed === null) continue;
    const known = found.get(parsed.disk);
    if (known === undefined || parsed.mount.length < known.length) found.set(parsed.disk, parsed.mount);
  }
  return [...found.values()].sort();
}

/** `36 35 98:0 /root /mount options optional… - type source …`; null: not a disk. */
function readLine(line: string): Mount | null {
  const [before = '', after = ''] = line.split(' - ');
  const [, , device = '', root = '', mount = ''] = before.split(' ');
  const [type = '', source = ''] = after.split(' ');
  const path = unescaped(mount);
  if (NO_DISK.includes(type) || !isMount(path)) return null;
  // The datasets of a pool share its space.
  if (type === 'zfs') return { disk: `zfs ${source.split('/')[0]}`, mount: path };
  if (POOLS.includes(type)) return { disk: `${type} ${device}`, mount: path };
  if (!source.startsWith('/dev/')) return null;
  // A part of a disk that is mounted elsewhere as a whole, as in containers.
  return root === '/' ? { disk: device, mount: path } : null;
}

/** The kernel writes spaces, tabs, line ends and backslashes as octal numbers. */
const unescaped = (text: string) =>
  text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
