// The language of pages that the server renders itself, and sentences with placeholders.
import Negotiator from 'negotiator';
import { PAGE_LANGUAGES, type PageLanguage } from '../domain/names.ts';

/** The preferred of our languages in an Accept-Language header; English by default. */
export const languageOf = (acceptLanguage?: string): PageLanguage => preferredOf(acceptLanguage) ?? 'en';

/** The same; null if the header prefers none of them, as that of a program does (`*`). */
export function preferredOf(acceptLanguage = ''): PageLanguage | null {
  const asked = acceptLanguage.slice(0, 500);
  if (asked === '' || asked === '*') return null;
  const [preferred] = new Negotiator({ headers: { 'accept-language': asked } }).languages([
    ...PAGE_LANGUAGES,
  ]);
  return PAGE_LANGUAGES.find((each) => each === preferred) ?? null;
}

/** Replaces each `{name}` with its value; braces inside a value stay as they are. */
export function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''));
}
