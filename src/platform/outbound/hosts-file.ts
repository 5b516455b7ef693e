import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { isExhausted } from './failures.ts';

/** Addresses by lower-case name, in the order of the file. */
export type Hosts = ReadonlyMap<string, readonly string[]>;

/** Parses the text of a hosts file (hosts(5)); lines that are not `address name…` are skipped. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase();
      const known = hosts.get(key);
      if (known) known.push(address);
      else hosts.set(key, [address]);
    }
  }
  return hosts;
}

/** How long the content of the file is used before its modification time is checked again. */
const RECHECK_MS = 5_000;

/** A look-up in the machine's hosts file, reread when it changed. An unreadable file is an empty one. */
export function hostsFile(path = '/etc/hosts'): (name: string) => Promise<readonly string[]> {
  let hosts: Hosts = new Map();
  let readMtimeMs = -1;
  let checkedAtMs = Number.NEGATIVE_INFINITY;
  const refresh = async () => {
    try {
      const { mtimeMs } = await stat(path);
      if (mtimeMs === readMtimeMs) return;
      hosts = parseHosts(await readFile(path, 'utf8'));
      readMtimeMs = mtimeMs;
    } catch (error) {
      // A read that fails for want of a descriptor keeps the last content.
      if (isExhausted(error)) return;
      hosts = new Map();
      // It may come back as old as it was.
      readMtimeMs = -1;
    }
  };
  let refreshing: Promise<void> = Promise.resolve();
  return async (name) => {
    const nowMs = performance.now();
    if (nowMs - checkedAtMs > RECHECK_MS) {
      checkedAtMs = nowMs;
      refreshing = refresh();
    }
    await refreshing;
    return hosts.get(name.toLowerCase()) ?? [];
  };
}
