// A refusal in the reader's language: known codes and reasons are translated, others keep the server's sentence.
import type { i18n, TFunction } from 'i18next';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../call.ts';

/** The server's sentence starts with the field's path, which is noise beside the field itself. */
function withoutPath({ message, field }: ApiError): string {
  if (field === undefined || !message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

type Texts = { t: TFunction; i18n: Pick<i18n, 'exists' | 'language'> };

/** Describes an error. */
export function refusalSentence(error: unknown, { t, i18n }: Texts): string {
  if (!(error instanceof ApiError)) return t('errors.unexpected');
  const values = { limit: error.limit ?? 0, request: error.requestId ?? '' };
  for (const key of [`errors.reasons.${error.reason}`, `errors.${error.code}`]) {
    if (!i18n.exists(key)) continue;
    const known = key as 'errors.unexpected';
    // The refusal of one of many things comes without its limit, which the server's sentence has.
    const needsLimit = String(t(known, { skipInterpolation: true })).includes('{{limit}}');
    if (!needsLimit || error.limit !== undefined) return t(known, values);
  }
  return withoutPath(error);
}

/** Returns a function that describes an error; the server's English sentences are the fallback. */
export function useRefusalSentence(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return useCallback((error: unknown) => refusalSentence(error, { t, i18n }), [t, i18n]);
}

/** Why one of many things was refused: the server's sentence names the thing, but is English. */
export function partSentence(refusal: { error: string; message: string }, texts: Texts): string {
  return texts.i18n.language === 'en' ? refusal.message : refusalSentence(new ApiError(400, refusal), texts);
}
