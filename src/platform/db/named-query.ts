// A prepared statement that asks PostgreSQL for its columns once per connection. The library asks with every execution, and
// builds the same parsers again each time. The columns of a prepared statement do not change: PostgreSQL refuses to run it once
// they would (`isOutdated`, preparing-client.ts). Behind a pooler they may: it prepares the statement anew in another session.
import pg from 'pg';

type Result = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: object | null };
type Named = { type: string; name: string };
type Connection = { describe: (of: Named) => void; close: (of: Named) => void };

/** What the library's types leave out. */
interface Internals extends pg.Query {
  name: string;
  callback: (error: Error | null, result: pg.QueryResult) => void;
  _result: Result;
  _accumulateRows: boolean;
  prepare(connection: Connection): void;
  handleCommandComplete(message: unknown, connection: Connection): void;
}
const Base = pg.Query as unknown as new (text: string, values: unknown[]) => Internals;

/** The columns of a result with their parsers; null: the statement returns no rows. */
type Columns = Result | null;

/** Of each connection, by the names of its prepared statements. */
const columnsOf = new WeakMap<Connection, Map<string, Columns>>();

const dontAsk = () => undefined;

export class NamedQuery extends Base {
  readonly #asksOnce: boolean;

  /**
   * Made of a text and not of an object, which the library would copy field by field (25 µs when it is not warm). `asksOnce`:
   * whether the statement keeps its columns for as long as the connection lives.
   */
  constructor(name: string, text: string, values: unknown[], asksOnce: boolean) {
    super(text, values);
    this.name = name;
    this.#asksOnce = asksOnce;
  }

  override prepare(connection: Connection): void {
    const columns = this.#asksOnce ? columnsOf.get(connection)?.get(this.name) : undefined;
    if (columns) this.#answerIn(columns);
    const { describe, close } = connection;
    // The library closes a statement whose values cannot be sent, and goes on to believe it prepared. It stays so: what is closed
    // instead is the portal, which answers as well.
    connection.close = () => close.call(connection, { type: 'P', name: '' });
    if (columns !== undefined) connection.describe = dontAsk;
    try {
      super.prepare(connection);
    } finally {
      connection.describe = describe;
      connection.close = close;
    }
  }

  #answerIn({ fields, _parsers, _prebuiltEmptyResultObject }: Result): void {
    Object.assign(this._result, { fields, _parsers, _prebuiltEmptyResultObject });
    this._accumulateRows = true;
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    super.handleCommandComplete(message, connection);
    if (!this.#asksOnce) return;
    const columns = columnsOf.get(connection) ?? new Map<string, Columns>();
    if (columns.size === 0) columnsOf.set(connection, columns);
    if (columns.has(this.name)) return;
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
    const asked = _prebuiltEmptyResultObject !== null;
    columns.set(this.name, asked ? { fields, _parsers, _prebuiltEmptyResultObject } : null);
  }
}
