// Finds calls in SQL. Every name before a parenthesis must be a word of the language, a function or type of the list, or a
// name that the query itself gives to a table and its columns. Nothing else passes, in any position.
import { SQL_FUNCTIONS, SQL_WORDS } from './sql-functions.ts';
import type { SqlEngine, Token } from './sql-tokens.ts';

/** A pair of parentheses by the positions of its tokens; `calls`: a function or type of the list precedes it. */
export type Group = { open: number; close: number; calls: boolean };

/** Tokens and their groups of parentheses. */
export type Parsed = { engine: SqlEngine; tokens: readonly Token[]; groups: readonly Group[] };

export function grouped(engine: SqlEngine, tokens: readonly Token[]): Parsed {
  const groups: Group[] = [];
  const open: Group[] = [];
  for (const [at, token] of tokens.entries()) {
    if (isMark(token, '(')) {
      const group = { open: at, close: tokens.length, calls: isListed(engine, tokens, at - 1) };
      groups.push(group);
      open.push(group);
    } else if (isMark(token, ')')) {
      const group = open.pop();
      if (group) group.close = at;
    }
  }
  return { engine, tokens, groups };
}

/** The first call that is not on the list, as written; undefined if there is none. */
export function unlistedCall(parsed: Parsed): string | undefined {
  for (const group of parsed.groups) {
    const at = group.open - 1;
    const name = parsed.tokens[at];
    if (name === undefined || name.kind === 'mark' || group.calls) continue;
    if (isPlain(parsed.tokens, at) && SQL_WORDS.has(name.text.toLowerCase())) continue;
    if (isNamed(name) && (namesType(parsed, at) || namesColumns(parsed, group))) continue;
    return parsed.tokens
      .slice(chainStart(parsed.tokens, at), at + 1)
      .map((token) => token.text)
      .join('');
  }
  return undefined;
}

export const isMark = (token: Token | undefined, text: string) =>
  token?.kind === 'mark' && token.text === text;
export const isNamed = (token: Token | undefined) => token?.kind === 'word' || token?.kind === 'quoted';

/** An unquoted word that is no part of a dotted name. */
const isPlain = (tokens: readonly Token[], at: number) =>
  tokens[at]?.kind === 'word' && !isMark(tokens[at - 1], '.');

/** The word of the language at that position, in lower case; '' if there is none. */
export const wordAt = (tokens: readonly Token[], at: number) =>
  isPlain(tokens, at) ? (tokens[at]?.text.toLowerCase() ?? '') : '';

/** The start of the dotted name that ends at a position. */
function chainStart(tokens: readonly Token[], at: number): number {
  let start = at;
  while (isMark(tokens[start - 1], '.') && isNamed(tokens[start - 2])) start -= 2;
  return isMark(tokens[start - 1], '.') ? start - 1 : start;
}

/** Another schema's function is another function: only the server's own schema may be named. */
function isListed(engine: SqlEngine, tokens: readonly Token[], at: number): boolean {
  const name = tokens[at];
  if (!name || !isNamed(name)) return false;
  const start = chainStart(tokens, at);
  const schema = tokens[start];
  const own = start === at - 2 && engine === 'postgres' && schema?.text === 'pg_catalog';
  if (start !== at && !own) return false;
  const exact = engine === 'postgres' && name.kind === 'quoted';
  return SQL_FUNCTIONS[engine].has(exact ? name.text : name.text.toLowerCase());
}

/** `x::geometry(…)`, `CAST(x AS shop.money(…))`, and `AS t(a, b)`: the language allows no function there. */
function namesType({ engine, tokens }: Parsed, at: number): boolean {
  const start = chainStart(tokens, at);
  if (start !== at && engine === 'mysql') return false;
  return isMark(tokens[start - 1], '::') || wordAt(tokens, start - 1) === 'as';
}

/** `WITH t(a) AS (SELECT …)`, and `(SELECT …) t(a)`, `generate_series(1, 9) t(a)`, `… WITH ORDINALITY t(a)`. */
function namesColumns(parsed: Parsed, group: Group): boolean {
  const { tokens, groups } = parsed;
  const at = group.open - 1;
  if (isMark(tokens[at - 1], '.')) return false;
  if (wordAt(tokens, at - 1) === 'ordinality' || isCte(tokens, group)) return true;
  const before = groups.find(({ close }) => close === at - 1 && close < tokens.length);
  if (before === undefined) return false;
  return before.calls || isTable(tokens, before);
}

/** A definition of columns, `f(a) AS (b int)`, looks the same and follows a function. */
function isCte(tokens: readonly Token[], { open, close }: Group): boolean {
  const before = wordAt(tokens, open - 2);
  if (before !== 'with' && before !== 'recursive' && !isMark(tokens[open - 2], ',')) return false;
  let at = close + 1;
  if (wordAt(tokens, at) !== 'as') return false;
  at += 1;
  if (wordAt(tokens, at) === 'not') at += 1;
  if (wordAt(tokens, at) === 'materialized') at += 1;
  return isMark(tokens[at], '(') && beginsQuery(tokens, at + 1);
}

function isTable(tokens: readonly Token[], { open }: Group): boolean {
  const from =
    ['from', 'join', 'lateral'].includes(wordAt(tokens, open - 1)) || isMark(tokens[open - 1], ',');
  return from && beginsQuery(tokens, open + 1);
}

export function beginsQuery(tokens: readonly Token[], at: number): boolean {
  if (isMark(tokens[at], '(')) return true;
  const word = wordAt(tokens, at);
  // A column may be named values, but its type does not begin with a parenthesis.
  if (word === 'values') return isMark(tokens[at + 1], '(') || wordAt(tokens, at + 1) === 'row';
  return word === 'select' || word === 'with' || word === 'table';
}
