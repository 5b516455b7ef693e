// Why an incident is one, in the reader's language.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { causeIn } from '#src/domain/cause-words.ts';

/** Returns a function that says a cause, or a sentence that is one; what a person wrote stays as it is. */
export function useCauseWords(): (cause: string) => string {
  const { i18n } = useTranslation();
  const language = i18n.language.startsWith('de') ? 'de' : 'en';
  return useCallback(
    (text: string) => {
      const cause = text.replace(/\.$/, '');
      const said = causeIn(cause, language);
      return said === cause ? text : said;
    },
    [language],
  );
}
