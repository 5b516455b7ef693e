// Stack traces of built files (pack/program.ts) name the sources and their lines.
import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

const OF_BUILT = /(file:\/\/[^\s()]*\/dist\/program\/[\w.-]+\.js):(\d+):(\d+)/g;

/** A stack trace with `src/…/name.ts:line` for each place in a built file. What cannot be read stays as it is. */
export function sourceStack(stack: string): string {
  const read = new Map<string, SourceMap | null>();
  return stack.replace(OF_BUILT, (place, url: string, line: string, column: string) => {
    if (!read.has(url)) read.set(url, mapOf(url));
    const found = read.get(url)?.findOrigin(Number(line), Number(column));
    return found && 'fileName' in found ? `${found.fileName}:${found.lineNumber}` : place;
  });
}

function mapOf(url: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(url)}.map`, 'utf8')) as SourceMapPayload);
  } catch {
    return null;
  }
}
