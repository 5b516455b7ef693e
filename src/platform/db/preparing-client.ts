// A connection that prepares frequent statements: parsing and planning a statement over partitioned tables costs more
// than running it.
import pg from 'pg';

/** A statement is prepared, per connection, once this process has seen it this often. */
const OFTEN = 20;
/** Statements whose text varies (lists of any length) must not fill the memory of every connection. */
const MOST_STATEMENTS = 300;

const seen = new Map<string, number>();
const names = new Map<string, string>();

/**
 * A statement that returns every column of a table. When a newer Tocsin adds a column, an older plan would fail
 * ("cached plan must not change result type").
 */
const EVERY_COLUMN = /(select|returning)\s+\*|\.\*/i;

/** The name a statement is prepared under; null until it proves frequent. */
function nameOf(text: string): string | null {
  const name = names.get(text);
  if (name !== undefined) return name;
  if (names.size >= MOST_STATEMENTS || EVERY_COLUMN.test(text)) return null;
  const count = (seen.get(text) ?? 0) + 1;
  if (count < OFTEN) {
    if (seen.size >= 10 * MOST_STATEMENTS) seen.clear();
    seen.set(text, count);
    return null;
  }
  seen.delete(text);
  names.set(text, `t${names.size}`);
  return names.get(text) ?? null;
}

/** Statements without parameters (begin, commit, schema changes) stay as they are. */
export class PreparingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the library's own overloads; this one passes everything on.
  override query(...given: any[]): any {
    const [text, values, ...rest] = given;
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      const name = nameOf(text);
      if (name !== null) return super.query({ name, text, values }, ...rest);
    }
    return super.query(...(given as [string]));
  }
}
