// Refusals of a status page's address, worded for addresses instead of names.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '#web/call.ts';
import { useRefusalSentence } from '#web/ui/refusal-sentence.ts';

const CODES = ['slug_taken', 'slug_reserved', 'empty_slug', 'slug_change_limit'] as const;

/** Returns a function that describes an error. */
export function useAddressRefusal(): (error: unknown) => string {
  const { t } = useTranslation();
  const sentence = useRefusalSentence();
  return useCallback(
    (error: unknown) => {
      const code = error instanceof ApiError ? CODES.find((each) => each === error.code) : undefined;
      return code === undefined ? sentence(error) : t(`statusPages.refused.${code}`);
    },
    [t, sentence],
  );
}
