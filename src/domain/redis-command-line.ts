/**
 * The words of a command line as redis-cli reads one: words in double quotes with \n \r \t \b \a \xHH and \ before any
 * other character, in single quotes with \' only; a closing quote must end its word. Undefined if quotes are unbalanced.
 */
export function commandWords(line: string): string[] | undefined {
  const words: string[] = [];
  let rest = line.trimStart();
  while (rest !== '') {
    const match = WORD.exec(rest);
    if (match === null) return undefined;
    const [all, double, single, plain] = match;
    words.push(double !== undefined ? unescaped(double) : (single?.replaceAll("\\'", "'") ?? plain ?? ''));
    rest = rest.slice(all.length).trimStart();
  }
  return words;
}

const WORD = /^(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\'|\\(?!'))*)'|([^\s"']+))(?=\s|$)/;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\x07' };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([0-9a-fA-F]{2})|([\s\S]))/g, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (ESCAPES[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
