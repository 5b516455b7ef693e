// A refusal in the reader's language: known codes and reasons are translated, others keep the server's sentence.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../call.ts';

/** The server's sentence starts with the field's path, which is noise beside the field itself. */
function withoutPath({ message, field }: ApiError): string {
  if (field === undefined || !message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Returns a function that describes an error; the server's English sentences are the fallback. */
export function useRefusalSentence(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (error: unknown) => {
      if (!(error instanceof ApiError)) return t('errors.unexpected');
      const values = { limit: error.limit ?? 0, request: error.requestId ?? '' };
      const keys = [`errors.reasons.${error.reason}`, `errors.${error.code}`];
      for (const key of keys) {
        if (i18n.exists(key)) return t(key as 'errors.unexpected', values);
      }
      return withoutPath(error);
    },
    [t, i18n],
  );
}
