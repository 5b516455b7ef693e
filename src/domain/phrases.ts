// Browser-safe. Sentences that Tocsin stores in English and shows in other languages. A table of phrases writes them and, for a
// reader of another language, recognizes them; `{{name}}` stands for a value.
import type { PageLanguage } from './names.ts';

export type Phrases<Key extends string> = Readonly<Record<Key, Readonly<Record<PageLanguage, string>>>>;
export type Values = Readonly<Record<string, string | number>>;

/** Puts the values into the words. */
export const filledIn = (words: string, values: Values): string =>
  words.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => String(values[name] ?? all));

/** The phrases of a table, each with its German. */
export const pairsOf = (phrases: Phrases<string>): (readonly [en: string, de: string])[] =>
  Object.values(phrases).map(({ en, de }) => [en, de]);

/**
 * Returns a function that translates a text of these phrases to German, and null for any other text. `valueIn` translates the value
 * of a name; most values are names, codes and numbers, which stay as they are.
 */
export function makeTranslator(
  pairs: readonly (readonly [en: string, de: string])[],
  valueIn: (name: string, value: string) => string,
): (text: string) => string | null {
  // The longest first: "an answer with only {{values}}" is no answer with "only …".
  const known = pairs
    .map(([en, de]) => ({ pattern: patternOf(en), de, length: en.replaceAll(/\{\{\w+\}\}/g, '').length }))
    .sort((a, b) => b.length - a.length);
  return (text) => {
    for (const { pattern, de } of known) {
      const match = pattern.exec(text);
      if (match === null) continue;
      const values = Object.entries(match.groups ?? {});
      return filledIn(de, Object.fromEntries(values.map(([name, value]) => [name, valueIn(name, value)])));
    }
    return null;
  };
}

const patternOf = (words: string): RegExp =>
  new RegExp(
    `^${words
      .split(/\{\{(\w+)\}\}/)
      .map((part, i) => (i % 2 === 1 ? `(?<${part}>.*?)` : escaped(part)))
      .join('')}$`,
    's',
  );

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
