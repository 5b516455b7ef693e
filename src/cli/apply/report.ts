// Prints what became of the things of a configuration file.
import type { AppliedThing } from '#src/configuration-apply/contract.ts';
import { refusedThings } from '#src/configuration-apply/refused-things.ts';
import { printable } from '../columns.ts';
import type { ReadFile } from '../configuration-file.ts';
import { counted } from '../progress.ts';
import type { Applied } from './asked.ts';

type Reported = Pick<ReadFile, 'lineOf'> & { name: string; dryRun: boolean };

/**
 * Prints a line for each thing that changes, and then how many there are; or one for each that was refused. Returns the exit code.
 */
export function report({ place, things }: Applied, reported: Reported): number {
  const refused = refusedThings(things);
  if (refused.length > 0) {
    for (const thing of refused) process.stderr.write(`${printable(refusalLine(thing, reported))}\n`);
    const count = counted(refused.length, 'thing');
    process.stderr.write(`Nothing was changed: ${count} of the file cannot be applied.\n`);
    return 1;
  }
  for (const thing of things)
    if (thing.outcome in SIGNS) process.stdout.write(`${printable(changeLine(thing))}\n`);
  if (!reported.dryRun)
    for (const { name, secret } of things)
      if (secret !== undefined)
        process.stdout.write(`The signing secret of ${printable(name ?? '')}, shown only now: ${secret}\n`);
  process.stderr.write(`${summary(things, place, reported)}\n`);
  return 0;
}

function refusalLine({ kind, name, refusal }: AppliedThing, { name: file, lineOf }: Reported): string {
  const line = refusal?.field === undefined ? null : lineOf(refusal.field);
  return `${file}${line === null ? '' : `:${line}`}: ${labelOf(kind, name)}: ${refusal?.message}`;
}

const SIGNS: Partial<Record<AppliedThing['outcome'], string>> = { created: '+', updated: '~', deleted: '-' };

const changeLine = ({ outcome, kind, name, changed }: AppliedThing) =>
  `${SIGNS[outcome]} ${labelOf(kind, name)}${changed.length > 0 ? `: ${changed.join(', ')}` : ''}`;

const labelOf = (kind: string, name: string | null) =>
  `${kind.replaceAll('_', ' ')}${name === null ? '' : ` ${name}`}`;

function summary(things: Applied['things'], { name, slug }: Applied['place'], { dryRun }: Reported): string {
  const count = (outcome: AppliedThing['outcome']) =>
    things.filter((thing) => thing.outcome === outcome).length;
  const parts = (['created', 'updated', 'deleted', 'unchanged'] as const)
    .filter((outcome) => outcome === 'unchanged' || count(outcome) > 0)
    .map((outcome) => `${count(outcome).toLocaleString('en')} ${outcome}`);
  const left = count('not_in_file');
  return [
    `${dryRun ? 'A dry run, nothing was written' : 'Applied'}: ${printable(name)} (${slug}), ${parts.join(', ')}.`,
    ...(left > 0
      ? [
          `${counted(left, 'thing')} not in the file ${left === 1 ? 'was' : 'were'} left alone; --prune deletes.`,
        ]
      : []),
  ].join('\n');
}
