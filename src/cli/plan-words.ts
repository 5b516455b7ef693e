// The plan of `tocsin migrate --plan` as text.

import type { Work } from '#src/platform/db/plan/dry-run.ts';
import type { Blocked, PlannedStep, PlannedTable } from '#src/platform/db/plan/estimate.ts';
import type { MadePlan } from '#src/platform/db/plan/make-plan.ts';
import { counted, inBytes } from './progress.ts';

const BLOCKED: Record<Blocked, string> = {
  'reads and writes': 'nobody else reads or writes it',
  writes: 'others read it, and wait to write',
  nothing: 'others read and write it',
};

const WORK: Record<Work, string> = {
  scan: 'reads all of it',
  change: 'goes through its rows and writes them',
  index: 'builds an index over it',
  rewrite: 'writes all of it anew',
};

/** Ends with a line feed. */
export function planWords({ migrations, from, seconds, held }: MadePlan): string {
  if (migrations.length === 0) return 'The database is up to date: no migration is outstanding.\n';
  const outstanding = `${counted(migrations.length, 'migration')} outstanding`;
  if (from === null)
    return `${outstanding}: the database is empty, and there is nothing that they could lock.\n`;
  const lines = [`${outstanding}, after ${from}:`];
  for (const { name, tables } of migrations) {
    lines.push('', name);
    if (tables.length === 0) lines.push('  locks no table that is there: an instant');
    for (const table of tables) lines.push(...tableLines(table));
  }
  lines.push('', `All of it takes ${about(seconds)}, in one transaction: each lock is held until its end.`);
  for (const { table, blocked, seconds: lockedFor } of held)
    lines.push(`  ${table}: ${BLOCKED[blocked]} for ${about(lockedFor)}`);
  if (held.length === 0) lines.push('  Others read and write every table meanwhile.');
  lines.push('The times are rough; they are those of an ordinary disk. Nothing was changed.');
  return `${lines.join('\n')}\n`;
}

function tableLines({ table, rows, bytes, lock, blocked, steps }: PlannedTable): string[] {
  return [
    `  ${table} (${counted(rows, 'row')}, ${inBytes(bytes)}): ${lock}, ${BLOCKED[blocked]}`,
    ...(steps.length === 0 ? ['    changes the catalogue alone: an instant'] : steps.map(stepLine)),
  ];
}

const stepLine = ({ line, work, seconds }: PlannedStep) =>
  `    line ${line} ${WORK[work]}: ${about(seconds)}`;

function about(seconds: number): string {
  if (seconds < 1) return 'an instant';
  if (seconds < 100) return `about ${counted(seconds, 'second')}`;
  if (seconds < 6_000) return `about ${counted(Math.round(seconds / 60), 'minute')}`;
  return `about ${counted(Math.round(seconds / 3_600), 'hour')}`;
}
