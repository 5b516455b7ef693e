// Two texts beside each other, short enough to be read there. Pure.

const MAX_SHOWN = 120;
const CONTEXT = 30;

/** Both texts, cut to where they begin to differ: what long ones have in common at their start says nothing. */
export function excerptsOf(one: string, other: string): [string, string] {
  const isLong = Math.max(one.length, other.length) > MAX_SHOWN;
  let same = 0;
  while (isLong && same < one.length && one[same] === other[same]) same += 1;
  const from = Math.max(0, same - CONTEXT);
  const excerpt = (text: string) => {
    const start = from > 0 ? '…' : '';
    const end = text.length > from + MAX_SHOWN ? '…' : '';
    return `${start}${text.slice(from, from + MAX_SHOWN)}${end}`;
  };
  return [excerpt(one), excerpt(other)];
}
