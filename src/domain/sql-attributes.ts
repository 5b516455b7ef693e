// PostgreSQL also calls functions without parentheses: `(x).f` is f(x), and so is `u.f` if u is the result of a function in
// FROM, `FROM unnest(…) u`. After such a name only its columns pass.
import { beginsQuery, type Group, isMark, isNamed, type Parsed, wordAt } from './sql-calls.ts';
import { SQL_VALUES } from './sql-functions.ts';
import type { Token } from './sql-tokens.ts';

/** Columns of functions that name them (`json_each`, WITH ORDINALITY). */
const OWN_COLUMNS = ['key', 'value', 'ordinality'];

/** The first attribute that may be a function, as written; undefined if there is none. */
export function calledAttribute(parsed: Parsed): string | undefined {
  const { tokens } = parsed;
  const columns = columnsOfFunctions(parsed);
  for (const [at, token] of tokens.entries()) {
    const attribute = tokens[at + 1];
    if (!isMark(token, '.') || !isNamed(attribute)) continue;
    const owner = tokens[at - 1];
    if (!isNamed(owner)) return `.${attribute?.text}`;
    const known = columns.get(owner?.text.toLowerCase() ?? '');
    if (known !== undefined && !known.includes(nameOf(attribute))) return `${owner?.text}.${attribute?.text}`;
  }
  return undefined;
}

/** The columns that a function's result certainly has, by the result's name in lower case. */
function columnsOfFunctions({ tokens, groups }: Parsed): ReadonlyMap<string, readonly string[]> {
  const columns = new Map<string, readonly string[]>();
  const note = (token: Token | undefined, listed: readonly string[]) => {
    const name = token?.text.toLowerCase() ?? '';
    const known = columns.get(name);
    // One name can mean several results in one query: the columns that all of them have.
    columns.set(name, known ? known.filter((column) => listed.includes(column)) : listed);
  };
  const noteAlias = (after: number) => {
    let at = after;
    if (wordAt(tokens, at) === 'with' && wordAt(tokens, at + 1) === 'ordinality') at += 2;
    if (wordAt(tokens, at) === 'as') at += 1;
    if (!isNamed(tokens[at])) return;
    const list = groups.find(({ open }) => open === at + 1);
    note(tokens[at], [...OWN_COLUMNS, ...(list ? columnsOf(tokens, list) : [nameOf(tokens[at])])]);
  };
  const inFrom = afterFrom({ tokens, groups });
  for (const group of groups) {
    // Its columns are in its parentheses, and it never returns a single value.
    if (wordAt(tokens, group.open - 1) === 'json_table') continue;
    const isRows = wordAt(tokens, group.open - 1) === 'from' && !beginsQuery(tokens, group.open + 1);
    if (!inFrom[group.open] || !(group.calls || isRows)) continue;
    if (group.calls) note(tokens[group.open - 1], [...OWN_COLUMNS, nameOf(tokens[group.open - 1])]);
    noteAlias(group.close + 1);
  }
  for (const at of tokens.keys()) {
    if (!inFrom[at] || !SQL_VALUES.has(wordAt(tokens, at))) continue;
    note(tokens[at], []);
    noteAlias(at + 1);
  }
  return columns;
}

/** By token: whether a FROM precedes it in its parentheses without a SELECT in between. Covers at least all tables. */
function afterFrom({ tokens, groups }: Pick<Parsed, 'tokens' | 'groups'>): boolean[] {
  const opens = new Set(groups.map(({ open }) => open));
  const outer: boolean[] = [];
  let within = false;
  return tokens.map((token, at) => {
    const word = wordAt(tokens, at);
    if (word === 'from') within = true;
    if (word === 'select') within = false;
    const isAfterFrom = within;
    if (opens.has(at)) outer.push(within);
    if (isMark(token, ')')) within = outer.pop() ?? within;
    return isAfterFrom;
  });
}

/** The first name of each element of a list of columns. */
function columnsOf(tokens: readonly Token[], { open, close }: Group): string[] {
  const names: string[] = [];
  let depth = 0;
  for (let at = open; at < close; at += 1) {
    if (isMark(tokens[at], '(')) depth += 1;
    if (isMark(tokens[at], ')')) depth -= 1;
    const starts = at === open || (depth === 1 && isMark(tokens[at], ','));
    if (starts && isNamed(tokens[at + 1])) names.push(nameOf(tokens[at + 1]));
  }
  return names;
}

/** A name as the server reads it: without quotes in lower case. */
const nameOf = (token: Token | undefined) =>
  token?.kind === 'word' ? token.text.toLowerCase() : (token?.text ?? '');
