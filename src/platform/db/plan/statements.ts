// Splits a migration into its statements, so that each can be examined on its own.

export type Statement = {
  text: string;
  /** The line in the file, from 1, on which the statement begins, after its leading comments. */
  line: number;
};

/** Everything that can hide a semicolon: comments, quoted names, strings, and function bodies between `$tag$`. */
const HIDING =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|\bE'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1/giy;

/** The statements of an SQL file in order, without empty ones. A comment stays in its statement. */
export function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let start: number | null = null;
  let at = 0;
  const end = () => {
    if (start !== null)
      statements.push({
        text: sql.slice(start, at).trimEnd(),
        line: sql.slice(0, start).split('\n').length,
      });
    start = null;
  };
  while (at < sql.length) {
    HIDING.lastIndex = at;
    const hidden = HIDING.exec(sql)?.[0];
    if (hidden !== undefined) {
      if (!/^(--|\/\*)/.test(hidden)) start ??= at;
      at += hidden.length;
      continue;
    }
    const character = sql[at] ?? '';
    if (character === ';') end();
    else if (/\S/.test(character)) start ??= at;
    at += 1;
  }
  end();
  return statements;
}

/** The first word of a statement, in capitals. */
export const kindOf = ({ text }: Statement): string => (/^[a-z]+/i.exec(text)?.[0] ?? '').toUpperCase();
