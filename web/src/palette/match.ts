// How well what somebody types fits what it could mean. Pure.

/** As it is compared: any case, without accents. */
const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase();

export const wordsOf = (text: string): string[] => plain(text).split(/\s+/).filter(Boolean);

/**
 * 0 where the label begins with what was typed, 1 where each word begins one of its words, 2 where each stands somewhere in
 * it, 3 where some stand only among the other words; null where one stands nowhere. Nothing typed fits everything.
 */
export function rankOf(typed: string, label: string, others: readonly string[] = []): number | null {
  const words = wordsOf(typed);
  const text = plain(label);
  if (text.startsWith(words.join(' '))) return 0;
  const starts = text.split(/[^\p{L}\p{N}]+/u);
  if (words.every((word) => starts.some((start) => start.startsWith(word)))) return 1;
  if (words.every((word) => text.includes(word))) return 2;
  const all = [text, ...others.map(plain)].join(' ');
  return words.every((word) => all.includes(word)) ? 3 : null;
}

type Found = { label: string; words?: readonly string[] };

/** What fits, the best first; of what fits alike the order stays. */
export function bestOf<Item extends Found>(typed: string, items: readonly Item[]): Item[] {
  const ranked = items.flatMap((item) => {
    const rank = rankOf(typed, item.label, item.words);
    return rank === null ? [] : [{ item, rank }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
