// Scores how well a text matches a search. Pure.

/** Normalizes case and accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase();

export const wordsOf = (text: string): string[] => plain(text).split(/\s+/).filter(Boolean);

/**
 * 0 if the label starts with the search, 1 if each word starts one of its words, 2 if each occurs in it, 3 if each starts a
 * word of the label or of the further words, 4 if each occurs there; null if one occurs nowhere. An empty search matches
 * everything.
 */
export function rankOf(typed: string, label: string, others: readonly string[] = []): number | null {
  const words = wordsOf(typed);
  const text = plain(label);
  if (text.startsWith(words.join(' '))) return 0;
  if (startWordsOf(text, words)) return 1;
  if (words.every((word) => text.includes(word))) return 2;
  const all = [text, ...others.map(plain)].join(' ');
  if (!words.every((word) => all.includes(word))) return null;
  return startWordsOf(all, words) ? 3 : 4;
}

function startWordsOf(text: string, searched: readonly string[]): boolean {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  return searched.every((each) => words.some((word) => word.startsWith(each)));
}

type Searchable = { label: string; words?: readonly string[] };

/** The matches, best first; equal ones keep their order. */
export function bestMatches<Item extends Searchable>(typed: string, items: readonly Item[]): Item[] {
  const ranked = items.flatMap((item) => {
    const rank = rankOf(typed, item.label, item.words);
    return rank === null ? [] : [{ item, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
