import { expectationInGerman } from '#src/domain/expectation-phrases.ts';
import { capital } from '#src/domain/failure-words.ts';
import type { PageLanguage } from '#src/domain/names.ts';

/** The expectation of a finding in the reader's language, beside its label, which says "Expected" already. */
export function expectationOf(summary: string, language: PageLanguage): string {
  const words = summary.replace(/^Expected /, '').replace(/\.$/, '');
  return `${capital(language === 'de' ? expectationInGerman(words) : words)}.`;
}
