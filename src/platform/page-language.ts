// The language of pages that the server itself shows, and sentences with places for values.
import Negotiator from 'negotiator';
import { PAGE_LANGUAGES, type PageLanguage } from '../domain/names.ts';

/** The preferred of our languages in an Accept-Language header; English by default. */
export function languageOf(acceptLanguage = ''): PageLanguage {
  const headers = { 'accept-language': acceptLanguage.slice(0, 500) };
  const [preferred] = new Negotiator({ headers }).languages([...PAGE_LANGUAGES]);
  return preferred === 'de' ? 'de' : 'en';
}

/** Replaces each `{name}` with its value; braces inside a value stay as they are. */
export function filled(sentence: string, values: Readonly<Record<string, string | number>>): string {
  return sentence.replace(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''));
}
