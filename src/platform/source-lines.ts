// Stack traces of built files (pack/program.ts) name the sources and their lines.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside each built file: its sources, and for each of its lines the place of the source in that list and the line there. */
export type SourceLines = { files: readonly string[]; lines: readonly (readonly [number, number] | null)[] };

const OF_BUILT = /(file:\/\/[^\s()]*\/dist\/program\/[\w.-]+\.js):(\d+):\d+/g;

/** A stack trace with `src/…/name.ts:line` for each place in a built file. What cannot be read stays as it is. */
export function sourceStack(stack: string): string {
  const read = new Map<string, SourceLines | null>();
  return stack.replace(OF_BUILT, (place, url: string, line: string) => {
    if (!read.has(url)) read.set(url, linesOf(url));
    const lines = read.get(url);
    const found = lines?.lines[Number(line) - 1];
    return found ? `${lines?.files[found[0]]}:${found[1]}` : place;
  });
}

function linesOf(url: string): SourceLines | null {
  try {
    return JSON.parse(readFileSync(`${fileURLToPath(url)}.lines`, 'utf8')) as SourceLines;
  } catch {
    return null;
  }
}
