// What axe, the checker of accessibility, finds on a page of a browser test.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

let axe: Promise<string> | undefined;

/** Each violation with the first element that has it. `rules`: only these; what is dark differs in nothing but its colours. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  axe ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await page.evaluate(await axe);
  const options = rules ? { runOnly: rules } : {};
  const { violations: found } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
