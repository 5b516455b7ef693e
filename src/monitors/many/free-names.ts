// Names for monitors that are created together: a name in use gets a number. Pure.

const MAX_CHARACTERS = 200;

/** Returns names that nobody uses. `inUse` has those of the project, and each returned name is added to it. */
export function freeName(wanted: string, inUse: Set<string>): string {
  let name = wanted;
  for (let n = 2; inUse.has(name); n++) name = `${cut(wanted, MAX_CHARACTERS - ` ${n}`.length)} ${n}`;
  inUse.add(name);
  return name;
}

/** The text with at most this many UTF-16 units, without half a character. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return text
    .slice(0, most)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
}
