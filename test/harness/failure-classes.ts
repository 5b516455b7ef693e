// The failure classes as the rules list them, so that tests hold what the product says against every one of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MONITOR_TYPES } from '#src/domain/names.ts';

/** The classes in the rows whose layer matches (docs/rules/monitor-types.md#failure-classes). */
export function failureClasses(layer = /./): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../docs/rules/monitor-types.md'), 'utf8');
  const section = page.slice(page.indexOf('## Failure classes'), page.indexOf('## Answers'));
  const rows = section.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const classes = rows
    .filter(([, first = '']) => layer.test(first))
    .flatMap(([, , cell = '']) => cell.match(/(?<=`)[a-z]+(_[a-z]+)*(?=`)/g) ?? []);
  const types: readonly string[] = MONITOR_TYPES;
  return classes.filter((each) => !types.includes(each));
}
