// The texts of public status pages by language; the language of a request.
import type { PageLanguage } from '#src/domain/names.ts';
import { de } from './words-de.ts';
import { en, type Words } from './words-en.ts';

export { filled, languageOf } from '#src/platform/page-language.ts';
export type { Words };

export const WORDS: Readonly<Record<PageLanguage, Words>> = { en, de };
