// Runs axe, the accessibility checker, on a page of a browser test.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

let axe: Promise<string> | undefined;

/** Colours change at once from then on: one that is half way between two states is nobody's fault. */
const WITHOUT_TRANSITIONS = `if (!('withoutTransitions' in window)) {
  window.withoutTransitions = new CSSStyleSheet();
  window.withoutTransitions.replaceSync('*, *::before, *::after { transition: none !important }');
  document.adoptedStyleSheets.push(window.withoutTransitions);
}`;

/**
 * Each violation with its first element. Anything that can be pressed must be 24 px wide and high too, or have space around it.
 * `rules`: only these rules; dark mode differs only in its colours. `without`: all rules but these.
 */
export async function violations(page: Page, rules?: string[], without: string[] = []): Promise<string[]> {
  axe ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  // A document that navigated within the page has it already.
  if (!(await page.evaluate("typeof axe === 'object'"))) await page.evaluate(await axe);
  await page.evaluate(WITHOUT_TRANSITIONS);
  const disabled = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const options = rules ? { runOnly: rules } : { rules: { 'target-size': { enabled: true }, ...disabled } };
  // What passes is neither described nor sent here: that took two thirds of axe's time.
  const run = JSON.stringify({ ...options, resultTypes: ['violations'] });
  const found = await page.evaluate<AxeResults['violations']>(
    `axe.run(${run}).then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}
