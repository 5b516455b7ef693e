// What axe, the checker of accessibility, finds on a page of a browser test.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

let axe: Promise<string> | undefined;

/**
 * Each violation with the first element that has it. What may be pressed must be 24 px wide and high too, or stand apart. `rules`: only these; what is dark differs in nothing but its colours.
 * `without`: all but these.
 */
export async function violations(page: Page, rules?: string[], without: string[] = []): Promise<string[]> {
  axe ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  // A document that was gone through within the page has it already.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(await axe);
  const disabled = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true }, ...disabled } };
  const { violations: found } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
