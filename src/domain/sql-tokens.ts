// Splits SQL into tokens. Text that two servers, or two settings of a server, could read differently is refused.

export type SqlEngine = 'postgres' | 'mysql';

/** `quoted` is a name in quotes, or a MySQL text in double quotes: its settings decide. `text` is without quotes. */
export type Token = { kind: 'word' | 'quoted' | 'string' | 'number' | 'mark'; text: string };

/** Syntax that nobody needs and that servers, or their settings, read differently; and the refusal for each. */
const UNCLEAR: readonly (readonly [RegExp, string])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  [/[\0-\x08\x0e-\x1f\x7f]|\r(?!\n)/, 'must not contain control characters'],
  [/\\['"`]/, 'must not have a backslash before a quote: servers read it differently; double the quote'],
  [/\bu&"/i, 'must not contain u&": write the name as it is'],
  [/\/\*(!|\+|m!)/i, 'must not contain comments that servers execute'],
];

const PATTERNS = {
  space: /[ \t\n\r\f\v]+/y,
  comment: /\/\*(?:(?!\/\*|\*\/)[\s\S])*\*\//y,
  string: /'((?:[^']|'')*)'/y,
  double: /"((?:[^"]|"")*)"/y,
  backtick: /`((?:[^`]|``)*)`/y,
  // Not directly before a letter: MySQL has read `sleep 1.e(9)` as a call of sleep.
  number: /(?:0x[\da-f]+|(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)(?![\w$.\x80-\u{10ffff}])/iuy,
  word: /[a-z_\x80-\u{10ffff}][\w$\x80-\u{10ffff}]*/iuy,
  mark: /::|[!%&()*+,\-./:;<=>?@[\]^{|}~#]/y,
};
const LINE_COMMENT = { postgres: /--[^\n]*/y, mysql: /(?:#|--(?![^ \t\n\r\f\v]))[^\n]*/y };

/** The tokens of a query without comments; or the reason to refuse it, as the end of a sentence. */
export function sqlTokens(engine: SqlEngine, query: string): Token[] | string {
  const unclear = UNCLEAR.find(([pattern]) => pattern.test(query));
  if (unclear) return unclear[1];
  const tokens: Token[] = [];
  let at = 0;
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(query);
    if (match) at += match[0].length;
    return match;
  };
  const accept = (kind: Token['kind'], pattern: RegExp, quote = '') => {
    const match = take(pattern);
    if (match) tokens.push({ kind, text: (match[1] ?? match[0]).replaceAll(quote + quote || '\0', quote) });
    return match !== null;
  };
  while (at < query.length) {
    if (take(PATTERNS.space) || take(LINE_COMMENT[engine]) || take(PATTERNS.comment)) continue;
    if (query.startsWith('/*', at))
      return 'must not contain a comment that is not closed, or one inside another';
    if (engine === 'mysql' && query.startsWith('--', at)) return 'must have a space after --';
    if (accept('string', PATTERNS.string, "'") || accept('quoted', PATTERNS.double, '"')) continue;
    if (engine === 'mysql' && accept('quoted', PATTERNS.backtick, '`')) continue;
    if (accept('number', PATTERNS.number) || accept('word', PATTERNS.word) || accept('mark', PATTERNS.mark))
      continue;
    return refusedCharacter(query.charAt(at));
  }
  return tokens;
}

function refusedCharacter(character: string): string {
  if (/['"`]/.test(character)) return `must not contain a ${character} that is not closed`;
  if (/\d/.test(character)) return 'must have a space after each number';
  return `must not contain ${character} outside of quotes`;
}
