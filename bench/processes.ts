// CPU time and memory of an installation's processes, from /proc.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

export type Part = 'server' | 'probe' | 'database';
export const PARTS: readonly Part[] = ['server', 'probe', 'database'];

/** Process ids by part; the database's are the postmaster and all its children. */
export type Processes = Record<Part, number[]>;

/** The processes of the installation that `serverPid` serves from `dataDir`, as of now. */
export function processesOf(serverPid: number, dataDir: string): Processes {
  const children = childrenByParent();
  const [first = ''] = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n');
  const postmaster = Number(first);
  const below = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(below)];
  const probes = (children.get(serverPid) ?? []).filter((pid) => wordsOf(pid).includes('probe'));
  return {
    server: serverProcesses(serverPid, children),
    probe: probes.flatMap(below),
    database: below(postmaster),
  };
}

/** A server's supervisor and the serving process. */
export function serverProcesses(supervisor: number, children = childrenByParent()): number[] {
  const serving = (children.get(supervisor) ?? []).filter((pid) =>
    /server-process/.test(wordsOf(pid).join(' ')),
  );
  return [supervisor, ...serving];
}

/** The server among a process and everything below it: npm starts it through a shell. */
export function serverBelow(pid: number): number | null {
  const children = childrenByParent();
  const below = (parent: number): number[] => [parent, ...(children.get(parent) ?? []).flatMap(below)];
  // Its probe runs the same file with another word.
  const isServing = (words: readonly string[]) =>
    words.includes('serve') && words.some((word) => /(?:bin\/tocsin\.js|src\/main\.ts)$/.test(word));
  return below(pid).findLast((each) => isServing(wordsOf(each))) ?? null;
}

/** CPU seconds so far, user and system, with what ended children used. Clock ticks of 10 ms. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statOf(pid);
    // utime, stime, cutime, cstime: fields 14 to 17 of proc(5), counted from the state, which is field 3.
    for (const field of [11, 12, 13, 14]) ticks += Number(fields[field] ?? 0);
  }
  return ticks / 100;
}

/** CPU seconds that the whole machine was busy so far, by all its cores. */
export function busySeconds(): number {
  const fields = readIfThere('/proc/stat').split('\n', 1)[0]!.trim().split(/\s+/).slice(1).map(Number);
  // user, nice, system, idle, iowait, irq, softirq, steal: guests are included in the first two.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields;
  return (user + nice + system + irq + softirq + steal) / 100;
}

/** CPU seconds of every part, to be subtracted from a later reading. */
export function cpuByPart(processes: Processes): Record<Part, number> {
  return {
    server: cpuSeconds(processes.server),
    probe: cpuSeconds(processes.probe),
    database: cpuSeconds(processes.database),
  };
}

export type Memory = { rssBytes: number; pssBytes: number };

/** Resident and proportional set size: the latter counts a page shared by n processes as its n-th part. */
export function memoryOf(pids: readonly number[]): Memory {
  const total: Memory = { rssBytes: 0, pssBytes: 0 };
  for (const pid of pids) {
    const text = readIfThere(`/proc/${pid}/smaps_rollup`);
    total.rssBytes += kilobytes(text, 'Rss') * 1024;
    total.pssBytes += kilobytes(text, 'Pss') * 1024;
  }
  return total;
}

/** Pins processes, with all their threads and future children, to some cores ("0", "0-3"). */
export async function pin(pids: readonly number[], cores: string): Promise<void> {
  for (const pid of pids) await runFile('taskset', ['-a', '-p', '-c', cores, String(pid)]);
}

/** Whether this machine can pin processes to cores. */
export async function canPin(): Promise<boolean> {
  return runFile('taskset', ['-p', String(process.pid)]).then(
    () => true,
    () => false,
  );
}

function childrenByParent(): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = Number(statOf(Number(name))[1] ?? 0);
    const known = children.get(parent);
    if (known) known.push(Number(name));
    else children.set(parent, [Number(name)]);
  }
  return children;
}

/** The fields of /proc/PID/stat from the state on; the name before it may contain anything. */
function statOf(pid: number): string[] {
  const text = readIfThere(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

const wordsOf = (pid: number) => readIfThere(`/proc/${pid}/cmdline`).split('\0');

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0);
}

/** Empty when the process is gone. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
