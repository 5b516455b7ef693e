// Units of systemd. One process reads all of them, and needs no rights.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Counted } from './use.ts';

const STOPPED: Counted = { running: false, usedMs: null, memMb: null };
const PROPERTIES = 'Id,ActiveState,MemoryCurrent,CPUUsageNSec';
const RUNNING = ['active', 'reloading', 'refreshing'];
const LIMIT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** Whether this machine runs systemd. */
export const hasSystemd = (): boolean => existsSync('/run/systemd/system');

const show = (units: readonly string[]): Promise<string> =>
  systemctl('show', '--no-pager', `--property=${PROPERTIES}`, '--', ...units);

/**
 * The units, in the order of their names; null: systemd refuses. A template is no unit that could run. Rejects if systemd
 * reports nothing about any unit. `ask` returns the output of `systemctl show` for units.
 */
export async function readUnits(names: readonly string[], ask = show): Promise<(Counted | null)[]> {
  const units = [...new Set(names.map(unitName).filter((unit) => !isTemplate(unit)))];
  const found = new Map<string, Counted>();
  if (units.length > 0) await readInto(found, units, ask);
  return names.map(unitName).map((unit) => (isTemplate(unit) ? STOPPED : (found.get(unit) ?? null)));
}

/** A single name that systemd refuses fails the whole call: then each is asked for alone. */
async function readInto(found: Map<string, Counted>, units: readonly string[], ask: typeof show) {
  try {
    const read = unitsIn(await ask(units));
    // A pattern matches any number of units, and their blocks could not be assigned.
    if (read.length !== units.length) throw new Error(`${read.length} answers for ${units.length} units`);
    for (const [i, unit] of units.entries()) found.set(unit, read[i]!);
  } catch (error) {
    // systemd would not answer for any of them in time either.
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

/** `nginx` is the service of that name; `backup.timer` stays as it is. */
export const unitName = (name: string): string =>
  /\.(service|socket|timer|target|mount|path|slice|scope|automount|swap|device)$/.test(name)
    ? name
    : `${name}.service`;

/** `getty@.service`: a template, which systemd refuses to show. */
const isTemplate = (unit: string): boolean => /@\.[a-z]+$/.test(unit);

/** From the output of `systemctl show`: one block per unit, separated by empty lines. */
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

/** From the output of `systemctl list-units --plain --no-legend`. */
export function unitNamesIn(text: string): string[] {
  return text.split('\n').flatMap((line) => /^\W*(\S+)\.service /.exec(line)?.[1] ?? []);
}

function splitOnce(line: string): [string, string] {
  const at = line.indexOf('=');
  return [line.slice(0, at), line.slice(at + 1)];
}

/** systemd reports `[not set]`, or the largest possible number, for values that it does not count. */
function counted(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,18}$/.test(text) ? Number(text) : null;
}

function systemctl(...words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: LIMIT_MS, maxBuffer: MAX_BYTES, killSignal: 'SIGKILL' } as const;
    execFile('systemctl', words, limits, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
