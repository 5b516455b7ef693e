// Names of a probe's assertions in the reader's language: fixed words are translated, names stay as they are.
import type { TFunction } from 'i18next';

/** "Header content-type" → "Header content-type", "Days left" → "Verbleibende Tage"; unknown text stays. */
export function judgedWords(
  t: TFunction,
  { exists }: { exists: (key: string) => boolean },
  what: string,
): string {
  const records = /^(\S+) records$/.exec(what)?.[1];
  if (records !== undefined) return t('judged.records', { type: records });
  for (const [words, rest] of splits(what)) {
    const key = `judged.${words.toLowerCase().replaceAll(' ', '_')}`;
    if (exists(key)) return `${t(key as 'judged.status')}${rest}`;
  }
  return what;
}

/** The whole text, then shortened word by word from the end. */
function splits(text: string): [string, string][] {
  const words = text.split(' ');
  return words.map((_, left) => {
    const count = words.length - left;
    const rest = words.slice(count).join(' ');
    return [words.slice(0, count).join(' '), rest === '' ? '' : ` ${rest}`];
  });
}
