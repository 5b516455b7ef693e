// Readings of Linux, from /proc and /sys. systeminformation would start a shell for most of them, which costs more than the
// rest of the agent, and 10 MB of memory.
import { existsSync, readdirSync, readFileSync, type StatsFs, statfs } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { cpuTimesIn } from './cpu.ts';
import { memoryIn } from './memory.ts';
import { diskMounts } from './mounts.ts';
import { countersIn } from './network.ts';
import { mayBeCut, statIn, wholeName } from './process-names.ts';
import type { Counters, Disk, ProcessSample, Sources } from './sources.ts';
import { type Sensor, temperatureOf } from './temperature.ts';

const read = (path: string) => readFileSync(path, 'utf8');

export function linuxSources(): Sources {
  const bytesOfPage = pageSize();
  /** Mounts whose last look has not ended: a look at a broken disk may never end, and each would occupy a thread. */
  const hanging = new Set<string>();
  return {
    cpu: () => cpuTimesIn(read('/proc/stat')),
    memory: () => memoryIn(read('/proc/meminfo')),
    load: () => loadavg(),
    disks: async () => {
      const mounts = diskMounts(read('/proc/self/mountinfo')).filter((mount) => !hanging.has(mount));
      const disks = await Promise.all(mounts.map((mount) => diskAt(mount, hanging)));
      return disks.filter((disk) => disk !== null);
    },
    network: () => machineInterfaces(countersIn(read('/proc/net/dev'))),
    temperature: () => temperatureOf(sensors()),
    processes: () => readProcesses(bytesOfPage),
  };
}

/** As `df` counts: the part that users may fill. null: it is gone, or has no blocks. */
async function diskAt(mount: string, hanging: Set<string>): Promise<Disk | null> {
  hanging.add(mount);
  try {
    const { blocks, bfree, bavail } = await spaceOf(mount);
    const used = blocks - bfree;
    return used + bavail > 0 ? { mount, pct: (used / (used + bavail)) * 100 } : null;
  } catch {
    return null;
  } finally {
    hanging.delete(mount);
  }
}

// node:fs/promises would load modules that the agent needs for nothing else.
const spaceOf = (mount: string): Promise<StatsFs> =>
  new Promise((resolve, reject) => {
    statfs(mount, (error, stats) => (error ? reject(error) : resolve(stats)));
  });

/** Interfaces of real devices; in a container, which has none, all. Traffic over a bridge would count twice. */
function machineInterfaces(counters: Counters): Counters {
  const real = Object.entries(counters).filter(([name]) => existsSync(`/sys/class/net/${name}/device`));
  return real.length > 0 ? Object.fromEntries(real) : counters;
}

function sensors(): Sensor[] {
  const found: Sensor[] = [];
  for (const chip of entriesOf('/sys/class/hwmon')) {
    const folder = join('/sys/class/hwmon', chip);
    for (const file of entriesOf(folder)) {
      const [, no] = /^temp(\d+)_input$/.exec(file) ?? [];
      if (no === undefined) continue;
      const label = tryRead(join(folder, `temp${no}_label`)) ?? '';
      add(tryRead(join(folder, 'name')) ?? '', label, tryRead(join(folder, file)));
    }
  }
  for (const zone of entriesOf('/sys/class/thermal').filter((name) => name.startsWith('thermal_zone'))) {
    const folder = join('/sys/class/thermal', zone);
    add(tryRead(join(folder, 'type')) ?? '', '', tryRead(join(folder, 'temp')));
  }
  return found;

  function add(kind: string, label: string, text: string | null): void {
    if (text !== null && text !== '') found.push({ kind, label, celsius: Number(text) / 1000 });
  }
}

function readProcesses(bytesOfPage: number): ProcessSample[] {
  const found: ProcessSample[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    // It may have ended since the folder was read.
    const stat = statIn(tryRead(`/proc/${entry}/stat`) ?? '');
    if (stat === null || stat.kernel || stat.ended) continue;
    const { pid, name, started, usedMs, pages } = stat;
    found.push({
      ...{ pid, started, cpu: { usedMs }, memMb: (pages * bytesOfPage) / 1e6 },
      name: mayBeCut(name) ? wholeName(name, tryRead(`/proc/${entry}/cmdline`) ?? '') : name,
    });
  }
  return found;
}

/** The kernel's auxiliary vector for this process: pairs of numbers; 6 is the page size. */
function pageSize(): number {
  try {
    const pairs = readFileSync('/proc/self/auxv');
    for (let at = 0; at + 16 <= pairs.length; at += 16)
      if (pairs.readBigUInt64LE(at) === 6n) return Number(pairs.readBigUInt64LE(at + 8));
  } catch {
    // The kernel does not provide it.
  }
  return 4096;
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function tryRead(path: string): string | null {
  try {
    return read(path).trim();
  } catch {
    return null;
  }
}
