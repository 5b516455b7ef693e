// English and German. The browser's language applies until the reader chooses one. Only the language in use is loaded.
import i18n from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { remember, remembered } from '../remembered.ts';
import { loadGermanCheckWords } from './check-words.ts';
import type { Texts } from './texts.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const LOADERS: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en/index.ts')).en,
  de: async () => {
    const [{ de }] = await Promise.all([import('./de/index.ts'), loadGermanCheckWords()]);
    return de;
  },
};

/**
 * A name that runs from right to left stands in its sentence by itself. Nothing is escaped beyond that: React does it, and escaping
 * twice would show entities in names and addresses.
 */
export const INTERPOLATION = { escapeValue: true, escape: isolated };

function isLanguage(value: string | null | undefined): value is Language {
  return value === 'en' || value === 'de';
}

function preferred(): Language {
  const chosen = remembered('language');
  if (isLanguage(chosen)) return chosen;
  for (const wanted of navigator.languages) {
    const language = wanted.slice(0, 2);
    if (isLanguage(language)) return language;
  }
  return 'en';
}

async function load(language: Language): Promise<void> {
  if (!i18n.hasResourceBundle(language, 'translation')) {
    i18n.addResourceBundle(language, 'translation', await LOADERS[language]());
  }
  document.documentElement.lang = language;
}

/** Loads the texts before the first page is drawn. */
export async function startLanguages(): Promise<void> {
  const language = preferred();
  await i18n.use(initReactI18next).init({
    lng: language,
    supportedLngs: ['en', 'de'],
    resources: {},
    interpolation: INTERPOLATION,
    react: { useSuspense: false },
  });
  await load(language);
  await i18n.changeLanguage(language);
}

/** Switches at once and remembers the choice. */
export async function chooseLanguage(language: Language): Promise<void> {
  await load(language);
  remember('language', language);
  await i18n.changeLanguage(language);
}
