// Statements of a transaction that are sent together share one Sync. PostgreSQL answers at each Sync: with one behind every
// statement it writes to the socket as often, and each answer interrupts the server that is still at work on the next one. This
// makes an alarm half a millisecond faster.
// https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
import type { EventEmitter } from 'node:events';
import pg from 'pg';

/** The parts of a connected `pg.Client` in pipeline mode that its types leave out. */
export type Pipeline = {
  connection: EventEmitter & {
    sync: () => void;
    query: (text: string) => void;
    close: (of: unknown) => void;
    submittedNamedStatements: Record<string, string>;
  };
  /** Statements that were sent behind the one that is being answered. */
  _sentQueryQueue: { name?: string; handleError: (error: Error, connection: unknown) => void }[];
};

/** A statement that was sent and is not answered yet. */
type Sent = {
  /** PostgreSQL says that it is ready behind this statement. Otherwise the next one's answer follows at once. */
  synced: boolean;
};

/**
 * Takes over the Syncs of a connection. Returns the function that writes the Sync which the statements before it share; call it
 * before they are sent.
 *
 * PostgreSQL skips the statements between one that fails and the Sync, and says nothing of them. They fail here, in their order,
 * as they would with a Sync of their own: "current transaction is aborted".
 */
export function shareSyncs(
  client: Pipeline,
  /** Whether the statement that is sent now may share its Sync with later ones: only inside a transaction. */
  mayShare: () => boolean,
  /** Called when the values of a statement cannot be sent: it fails, and PostgreSQL knows nothing of it. */
  onUnsent: () => void,
): () => void {
  const { connection } = client;
  const sync = connection.sync.bind(connection);
  const simpleQuery = connection.query.bind(connection);
  const sent: Sent[] = [];
  let owed: Sent | null = null;

  function writeOwed(): void {
    if (owed === null) return;
    owed.synced = true;
    owed = null;
    sync();
  }

  connection.sync = () => {
    owed = { synced: false };
    sent.push(owed);
    if (!mayShare()) writeOwed();
  };
  // A simple query is its own Sync, which PostgreSQL does not see while it skips to one.
  connection.query = (text) => {
    writeOwed();
    sent.push({ synced: true });
    simpleQuery(text);
  };
  // The client closes a statement, and does not run it, if its values cannot be sent.
  const close = connection.close.bind(connection);
  connection.close = (of) => {
    onUnsent();
    close(of);
  };
  const answer = () => {
    const [answered] = sent;
    if (answered === undefined || answered.synced) return;
    sent.shift();
    connection.emit('readyForQuery', { ...STILL_IN_TRANSACTION, shared: true });
  };
  connection.on('commandComplete', answer);
  connection.on('closeComplete', answer);
  // Before the client takes up the next statement.
  connection.prependListener('readyForQuery', ({ shared }: { shared?: boolean }) => {
    if (shared) return;
    for (let answered = sent.shift(); answered !== undefined && !answered.synced; answered = sent.shift())
      failSkipped(client);
  });
  return writeOwed;
}

const STILL_IN_TRANSACTION = { name: 'readyForQuery', status: 'T' };

function failSkipped({ connection, _sentQueryQueue: queue }: Pipeline): void {
  const skipped = queue.shift();
  if (skipped === undefined) return;
  // It was not prepared either.
  if (skipped.name) delete connection.submittedNamedStatements[skipped.name];
  const text = 'current transaction is aborted, commands ignored until end of transaction block';
  const error = new pg.DatabaseError(text, 0, 'error');
  error.code = '25P02';
  skipped.handleError(error, connection);
}
