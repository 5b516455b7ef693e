// One check of any type, with the config that the server would assign.
import type { CheckContext, CheckOutcome } from '#probe/check-outcome.ts';
import { check } from '#probe/types.ts';
import { withDefaults } from '#src/monitors/types/defaults.ts';
import { rulesOf } from '#src/monitors/types.ts';
import type { Judgement } from '#src/probe-protocol/contract.ts';

export type Config = Record<string, unknown>;

/** The config merged over the server's own defaults. */
export function wholeConfig(type: string, given: Config): Config {
  return withDefaults(rulesOf(type).schema, given);
}

/** Checks as the probe does; private targets are allowed by default. */
export function checkOnce(
  type: string,
  given: Config,
  context: Partial<CheckContext> = {},
): Promise<CheckOutcome> {
  return check(type, wholeConfig(type, given), { policy: { allowPrivate: true }, ...context });
}

/** The result of a check that a person waits for: the outcome, and every judgement. */
export async function checkJudged(
  type: string,
  given: Config,
  context: Partial<CheckContext> = {},
): Promise<{ seen: CheckOutcome; judged: Judgement[] }> {
  const judged: Judgement[] = [];
  const seen = await checkOnce(type, given, { ...context, judged: (judgement) => judged.push(judgement) });
  return { seen, judged };
}

/** Status, class and layer in one, to compare with. */
export function verdictOf({ status, failure_class, cause_layer }: CheckOutcome) {
  return [status, failure_class, cause_layer];
}

/** The same as words in one line: "down connect_refused target_connect". */
export function wordsOf(seen: CheckOutcome): string {
  return verdictOf(seen)
    .filter((part) => part !== undefined)
    .join(' ');
}

/** One line per judgement: its subject, and whether it was good. */
export function linesOf(judged: readonly Judgement[]): string[] {
  return judged.map(({ what, actual, ok }) => `${ok ? 'ok' : 'NOT'} ${what}: ${actual}`);
}
