// Readings of Linux, from /proc and /sys. systeminformation would start a shell for most of them, which costs more than the
// rest of the agent, and 10 MB of memory.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { Log } from '#probe/log.ts';
import { cpuTimesIn } from './cpu.ts';
import { diskReader } from './disks.ts';
import { memoryIn } from './memory.ts';
import { diskMounts } from './mounts.ts';
import { countersIn } from './network.ts';
import { mayBeCut, statIn, wholeName } from './process-names.ts';
import type { Counters, ProcessSample, Sources } from './sources.ts';
import { type Sensor, temperatureOf } from './temperature.ts';

const read = (path: string) => readFileSync(path, 'utf8');

export function linuxSources(log: Log): Sources {
  const bytesOfPage = pageSize();
  const readDisks = diskReader(log);
  return {
    cpu: () => cpuTimesIn(read('/proc/stat')),
    memory: () => memoryIn(read('/proc/meminfo')),
    load: () => loadavg(),
    disks: () => readDisks(diskMounts(read('/proc/self/mountinfo'))),
    network: () => machineInterfaces(countersIn(read('/proc/net/dev'))),
    temperature: () => temperatureOf(sensors()),
    processes: () => readProcesses(bytesOfPage),
  };
}

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
