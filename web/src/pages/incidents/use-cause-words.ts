// The cause of an incident, in the reader's language.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { causeIn, stormNameIn } from '#src/domain/cause-words.ts';

const languageOf = (language: string) => (language.startsWith('de') ? 'de' : 'en');

/** Returns a function that translates a cause; texts of people stay as they are. */
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
