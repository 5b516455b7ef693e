// Units of systemd. Asking takes one process for all of them, and no rights.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Counted } from './use.ts';

const STOPPED: Counted = { running: false, usedMs: null, memMb: null };
const PROPERTIES = 'Id,ActiveState,MemoryCurrent,CPUUsageNSec';
const RUNNING = ['active', 'reloading', 'refreshing'];
const LIMIT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Whether systemd runs this machine. */
export const hasSystemd = (): boolean => existsSync('/run/systemd/system');

const show = (units: readonly string[]): Promise<string> =>
  systemctl('show', '--no-pager', `--property=${PROPERTIES}`, '--', ...units);

/**
 * The units, in the order of their names; null: systemd refuses to say. A template is none that could run. Rejects where systemd says
 * nothing of any unit. `ask` gives what `systemctl show` prints of units.
 */
export async function readUnits(names: readonly string[], ask = show): Promise<(Counted | null)[]> {
  const units = [...new Set(names.map(unitName).filter((unit) => !isTemplate(unit)))];
  const found = new Map<string, Counted>();
  if (units.length > 0) await readInto(found, units, ask);
  return names.map(unitName).map((unit) => (isTemplate(unit) ? STOPPED : (found.get(unit) ?? null)));
}

/** One name that systemd refuses fails the call with it: then each is asked for alone. */
async function readInto(found: Map<string, Counted>, units: readonly string[], ask: typeof show) {
  try {
    const read = unitsIn(await ask(units));
    // A name that is a pattern gives any number of units, and which is whose cannot be known.
    if (read.length !== units.length) throw new Error(`${read.length} answers for ${units.length} units`);
    for (const [i, unit] of units.entries()) found.set(unit, read[i]!);
  } catch (error) {
    // Nor would systemd answer any of them in time.
    if (units.length === 1 || isLate(error)) throw error;
    let last: unknown;
    for (const unit of units)
      await readInto(found, [unit], ask).catch((reason: unknown) => {
        if (isLate(reason)) throw reason;
        last = reason;
      });
    if (found.size === 0) throw last;
  }
}

const isLate = (error: unknown) => error instanceof Error && 'killed' in error && error.killed === true;

/** Names of the services that systemd has loaded, without their `.service`. */
export async function readUnitNames(): Promise<string[]> {
  return unitNamesIn(
    await systemctl(
      'list-units',
      '--type=service',
      '--state=loaded',
      '--plain',
      '--no-legend',
      '--no-pager',
      '--full',
    ),
  );
}

/** `nginx` is the service of that name; `backup.timer` is what it says. */
export const unitName = (name: string): string =>
  /\.(service|socket|timer|target|mount|path|slice|scope|automount|swap|device)$/.test(name)
    ? name
    : `${name}.service`;

/** `getty@.service`: what other units are made from. systemd refuses to show it. */
const isTemplate = (unit: string): boolean => /@\.[a-z]+$/.test(unit);

/** From what `systemctl show` prints: one block for each unit, an empty line between them. */
export function unitsIn(text: string): Counted[] {
  if (text.trim() === '') return [];
  return text
    .trim()
    .split(/\n\n+/)
    .map((block) => {
      const values = new Map(block.split('\n').map((line) => splitOnce(line)));
      const memory = counted(values.get('MemoryCurrent'));
      const used = counted(values.get('CPUUsageNSec'));
      return {
        running: RUNNING.includes(values.get('ActiveState') ?? ''),
        usedMs: used === null ? null : used / 1e6,
        memMb: memory === null ? null : memory / 1e6,
      };
    });
}

/** From what `systemctl list-units --plain --no-legend` prints. */
export function unitNamesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\W*(\S+)\.service /.exec(line)?.[1] ?? []);
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

/** systemd says `[not set]`, or the largest number there is, where it does not count. */
function counted(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,18}$/.test(text) ? Number(text) : null;
}

function systemctl(...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: LIMIT_MS, maxBuffer: MAX_BYTES, killSignal: 'SIGKILL' } as const;
    execFile('systemctl', words, limits, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
