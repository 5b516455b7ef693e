// The texts of probes in the reader's language. They are stored in English; their German is loaded with German only.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { makeGermanCheckWords } from './check-details/in-german.ts';

type CheckWords = ReturnType<typeof makeGermanCheckWords>;

const same = (text: string): string => text;
let german: CheckWords = { detail: same, expected: same };

export async function loadGermanCheckWords(): Promise<void> {
  german = makeGermanCheckWords((await import('./check-details/sentences.ts')).GERMAN_SENTENCES);
}

/** Returns a function that translates the texts of one kind; what is no sentence of ours stays as it is. */
export function useCheckWords(kind: keyof CheckWords): (text: string) => string {
  const { i18n } = useTranslation();
  const isGerman = i18n.language === 'de';
  return useCallback((text: string) => (isGerman ? german[kind](text) : text), [isGerman, kind]);
}
