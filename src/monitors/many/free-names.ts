// Names for monitors that are made together: where one is taken, a number follows. Pure.

const MAX_CHARACTERS = 200;

/** Hands out names that nobody has: `inUse` has those of the project, and gets each that is handed out. */
export function freeName(wanted: string, inUse: Set<string>): string {
  let name = wanted;
  for (let n = 2; inUse.has(name); n++) name = `${cut(wanted, MAX_CHARACTERS - ` ${n}`.length)} ${n}`;
  inUse.add(name);
  return name;
}

/** At most so many UTF-16 units, no character cut in two. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
