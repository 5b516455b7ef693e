// A connection that prepares frequent statements (parsing and planning a statement over partitioned tables costs more than
// running it), and that sends statements issued together in one write (the write to a socket costs more than its content), in a
// transaction with one Sync (shared-sync.ts).
import type { Writable } from 'node:stream';
import pg from 'pg';
import { NamedQuery } from './named-query.ts';
import { type Pipeline, shareSyncs } from './shared-sync.ts';

/** A statement is prepared, per connection, once this process has seen it this often. */
const OFTEN = 20;
/** Statements whose text varies (lists of any length) must not fill the memory of every connection. */
const MAX_STATEMENTS = 300;
/** The same for statements that are prepared at first sight. */
const MAX_PREPARED_AT_FIRST_SIGHT = 2 * MAX_STATEMENTS;

/** The most statements that are kept ready; one more is prepared when it is first used. */
const MAX_READY = 200;

const seen = new Map<string, number>();
const names = new Map<string, string>();
let named = 0;
/** Texts of statements that are kept ready. */
const ready = new Set<string>();

/** The name a statement is prepared under; null until this process has seen it `often` times. */
function nameOf(text: string, often: number): string | null {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= (often === 1 ? MAX_PREPARED_AT_FIRST_SIGHT : MAX_STATEMENTS)) return null;
  const count = (seen.get(text) ?? 0) + 1;
  if (count < often) {
    if (seen.size >= 10 * MAX_STATEMENTS) seen.clear();
    seen.set(text, count);
    return null;
  }
  seen.delete(text);
  return rename(text);
}

function rename(text: string): string {
  const name = `t${named++}`;
  names.set(text, name);
  return name;
}

/**
 * Whether a prepared statement was refused, and not run, because its result has different columns now: a newer Tocsin has added
 * a column to a table of which it returns every column.
 */
export const isOutdated = (error: unknown): boolean =>
  (error as { routine?: string } | null)?.routine === 'RevalidateCachedQuery';

/** Statements without parameters (schema changes) stay as they are. */
export class PreparingClient extends pg.Client {
  /** Whether statements are prepared at all. */
  prepares = true;
  /** Whether it is connected to PostgreSQL itself: a pooler hands every transaction to another connection of its own. */
  isDirect = true;
  /** Whether statements are prepared at first sight, rather than once they prove frequent. */
  atFirstSight = false;
  /** Whether prepared statements are kept ready from now on. */
  keepsReady = false;
  /** Whether a transaction of `inTransaction` runs. Its commit may follow a statement before that is answered. */
  inTransaction = false;
  /** Whether a statement of it has failed because its values cannot be sent. */
  hasUnsent = false;
  #gathers = false;
  #writeSync: (() => void) | null = null;

  // biome-ignore lint/suspicious/noExplicitAny: the library's own overloads; this one passes everything on.
  override query(...given: any[]): any {
    this.#gather();
    const [text, values, ...rest] = given;
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0)
      return super.query(...(given as [string]));
    const name = this.prepares ? nameOf(text, this.atFirstSight ? 1 : OFTEN) : null;
    if (name === null) return super.query(...(given as [string]));
    if (this.keepsReady && ready.size < MAX_READY) ready.add(text);
    const query = new NamedQuery(name, text, values, this.isDirect);
    if (rest.length === 0) return this.#renewed(this.#answer(query), name, text, values);
    query.callback = rest[0];
    return super.query(query);
  }

  /** Begins, sets up or ends a transaction. Prepared it shares a Sync, which a simple query does not. */
  control(text: string): Promise<pg.QueryResult> {
    const name = this.prepares && this.isDirect ? nameOf(text, OFTEN) : null;
    if (name === null) return this.query(text);
    this.#gather();
    return this.#answer(new NamedQuery(name, text, [], this.isDirect));
  }

  /** The statements that are kept ready, and that this connection has not prepared: their texts by their names. */
  notReady(): Map<string, string> {
    const { parsedStatements } = this.#known();
    const missing = new Map<string, string>();
    for (const text of this.prepares && this.isDirect ? ready : []) {
      const name = names.get(text);
      if (name !== undefined && parsedStatements[name] === undefined) missing.set(name, text);
    }
    return missing;
  }

  /** `PREPARE` has prepared a statement on this connection; if it could not, nobody tries again before it is used. */
  notePrepared(name: string, text: string, isPrepared: boolean): void {
    if (isPrepared) this.#known().parsedStatements[name] = text;
    else ready.delete(text);
  }

  #known() {
    return (this as unknown as { connection: { parsedStatements: Record<string, string> } }).connection;
  }

  /** Holds writes back until no further statement is issued without waiting for an answer. */
  #gather(): void {
    if (this.#gathers) return;
    this.#gathers = true;
    // A pooler passes on what it is sent, but another one may count Syncs.
    this.#writeSync ??= shareSyncs(
      this as unknown as Pipeline,
      () => this.#gathers && this.inTransaction && this.isDirect,
      () => {
        this.hasUnsent = true;
      },
    );
    const { stream } = (this as unknown as { connection: { stream: Writable } }).connection;
    stream.cork();
    // Runs once all promises that are settled by now have been handled.
    process.nextTick(() => {
      this.#gathers = false;
      this.#writeSync?.();
      stream.uncork();
    });
  }

  #answer(query: NamedQuery): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      query.callback = (error, result) => (error ? reject(error) : resolve(result));
      super.query(query);
    });
  }

  /** Prepares an outdated statement under another name and runs it, if no transaction has failed because of it. */
  async #renewed(answer: Promise<pg.QueryResult>, name: string, text: string, values: unknown[]) {
    const { inTransaction } = this;
    try {
      return await answer;
    } catch (error) {
      // Of the callers; its own begins at the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      if (!isOutdated(error)) throw error;
      if (names.get(text) === name) rename(text);
      if (inTransaction || this.getTransactionStatus() !== 'I') throw error;
      return this.#answer(new NamedQuery(names.get(text) ?? rename(text), text, values, this.isDirect));
    }
  }
}
