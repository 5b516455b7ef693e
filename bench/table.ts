// Prints a benchmark's one table, as Markdown: readable in a terminal, ready for docs/performance.md.
import type { Bench } from './figure.ts';

const HEAD = ['Figure', 'Tocsin', 'Beside it', 'Ratio'];

/** The table under its heading, with machine and versions. */
export function render(name: string, about: readonly string[], { rows, notes }: Bench): string {
  const cells = [HEAD, ...rows.map((row) => [row.figure, row.tocsin, row.beside ?? '', row.ratio ?? ''])];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const line = (line: string[]) => `| ${line.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [
    `## ${name}`,
    '',
    ...about.map((fact) => `- ${fact}`),
    '',
    line(head),
    rule,
    ...body.map(line),
    '',
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n');
}
