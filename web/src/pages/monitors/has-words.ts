/** Whether the text contains every word of a search, in any order and case. */
export function hasWords(text: string, sought: string): boolean {
  const lower = text.toLocaleLowerCase();
  return sought
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
