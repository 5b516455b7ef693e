// Suggests a known word for a misspelt one.

/** The word of `words` nearest to the written one, at most 2 edits away; null if none is near. */
export function nearest(written: string, words: readonly string[]): string | null {
  const [best] = words
    .map((word) => ({ word, apart: distance(written.toLowerCase(), word) }))
    .filter(({ apart, word }) => apart <= 2 && apart < word.length)
    .sort((left, right) => left.apart - right.apart);
  return best?.word ?? null;
}

/** Edits (a letter added, dropped, changed, or two neighbours swapped) between two names; 3 means "more". */
export function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2) return 3;
  let before: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = left[i - 1] === right[j - 1] ? 0 : 1;
      let cost = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + change);
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      if (swapped) cost = Math.min(cost, before[j - 2]! + 1);
      next.push(cost);
    }
    before = row;
    row = next;
  }
  return Math.min(row[right.length]!, 3);
}
