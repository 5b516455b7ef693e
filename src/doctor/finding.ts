// One finding of the doctor: a state, what it is about, and a remedy if the state is not ok.
import { FINDING_WORDS, type FindingCode, type FindingValues } from '../domain/finding-words.ts';
import { filledIn } from '../domain/phrases.ts';
import type { Finding, Report } from '../operator/doctor-contract.ts';

export type { Finding } from '../operator/doctor-contract.ts';

/** A finding with its English words (`FINDING_WORDS`). */
export function finding(
  state: Finding['state'],
  subject: Finding['subject'],
  code: FindingCode,
  given: FindingValues = {},
): Finding {
  const values = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const words: { said: string; todo?: string } = FINDING_WORDS[code];
  const todo = state === 'ok' || words.todo === undefined ? null : filledIn(words.todo, values);
  return { state, subject, code, values, said: filledIn(words.said, values), todo };
}

/** Nothing fails; warnings do not count. */
export const reportOf = (findings: readonly Finding[]): Report => ({
  ok: !findings.some(({ state }) => state === 'fail'),
  findings: [...findings],
});

/** One line, and what to do below it. */
export function lineOf({ state, subject, said, todo }: Finding): string {
  const head = `${state.toUpperCase().padEnd(5)} ${subject.replace('_', ' ').padEnd(10)} ${said}\n`;
  return todo === null ? head : `${head}${' '.repeat(17)}${todo}\n`;
}
