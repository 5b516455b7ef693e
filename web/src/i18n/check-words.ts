// The texts of probes in the reader's language. They are stored in English; what translates them is loaded with German only.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

type CheckWords = {
  /** The detail of a check. */
  detail: (text: string) => string;
  /** What an assertion of a test expects. */
  expected: (text: string) => string;
};

const ENGLISH: CheckWords = { detail: (text) => text, expected: (text) => text };
let german = ENGLISH;

export async function loadGermanCheckWords(): Promise<void> {
  const { detailInGerman, expectedInGerman } = await import('./check-details/in-german.ts');
  german = { detail: detailInGerman, expected: expectedInGerman };
}

/** Returns a function that translates the texts of one kind; what is no sentence of ours stays as it is. */
export function useCheckWords(kind: keyof CheckWords): (text: string) => string {
  const { i18n } = useTranslation();
  const isGerman = i18n.language === 'de';
  return useCallback((text: string) => (isGerman ? german : ENGLISH)[kind](text), [isGerman, kind]);
}
