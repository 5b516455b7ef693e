// What Tocsin wrote about an incident, in the reader's language; texts of people stay as they are.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { causeIn, stormNameIn, summaryIn } from '#src/domain/cause-words.ts';
import { expectationOf } from './evidence/expectation-of.ts';

const languageOf = (language: string) => (language.startsWith('de') ? 'de' : 'en');

/** Returns a function that translates a cause. */
export function useCauseWords(): (cause: string) => string {
  const { i18n } = useTranslation();
  const language = languageOf(i18n.language);
  return useCallback(
    (text: string) => {
      const cause = text.replace(/\.$/, '');
      const said = causeIn(cause, language);
      return said === cause ? text : said;
    },
    [language],
  );
}

/** The same for the name of a storm. */
export function useStormWords(): (name: string) => string {
  const { i18n } = useTranslation();
  return (name) => stormNameIn(name, languageOf(i18n.language));
}

/** The same for a summary, which is the first entry of the timeline. */
export function useSummaryWords(): (summary: string) => string {
  const { i18n } = useTranslation();
  return (summary) => summaryIn(summary, languageOf(i18n.language));
}

/** The same for the expectation of a finding, beside a label that says "Expected" already. */
export function useExpectationWords(): (summary: string) => string {
  const { i18n } = useTranslation();
  return (summary) => expectationOf(summary, languageOf(i18n.language));
}
