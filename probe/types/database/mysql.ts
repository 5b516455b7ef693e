import type { Socket } from 'node:net';
import mysql2, { type Connection, type QueryError } from 'mysql2';
import type { Finding } from '#probe/check-outcome.ts';
import { DATABASE_PORTS, type DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { answerTimeout, invalidAnswer } from '../answer-failures.ts';
import { starttlsUnavailable } from '../mail/protocol.ts';
import { reach, secured } from '../reach.ts';
import type { RunningCheck } from '../run-check.ts';
import { endGracefully, within } from '../within.ts';
import {
  brokenSession,
  type Cap,
  capped,
  type Engine,
  judgeQuery,
  judgeSignIn,
  refusal,
  wordsOf,
} from './session.ts';

/** A session with a MySQL or MariaDB server. */
export const mysql: Engine = async (running, config, startedAtMs) => {
  const port = config.port ?? DATABASE_PORTS.mysql;
  const { socket } = await reach(running, { ...config, port });
  const connection = mysql2.createConnection({
    stream: socket,
    host: config.host,
    user: config.username ?? '',
    password: config.password ?? '',
    ...(config.database === null ? {} : { database: config.database }),
    connectTimeout: 0,
    // The server must not be able to request files of this machine.
    flags: ['-LOCAL_FILES'],
    // Rows are not read, so the library need not generate code for them.
    disableEval: true,
    rowsAsArray: true,
    ...(config.tls ? { ssl: { rejectUnauthorized: true } } : {}),
  });
  connection.on('error', () => undefined);
  let spoken: Socket = socket;
  let overflow = capped(socket, config.host);
  if (config.tls)
    verifyOurselves(connection, socket, config, running, (secure) => {
      spoken = secure;
      overflow = capped(secure, config.host);
    });
  const cap = () => overflow();
  if (!(await signedIn(connection, config, running, cap))) return;
  // A man in the middle could accept the sign-in before TLS has begun.
  if (config.tls && spoken === socket)
    throw invalidAnswer(`${config.host} took the sign-in as made before TLS stood`);
  await ask(connection, config, running, cap);
  await endGracefully(running, startedAtMs, () => called((done) => connection.end(done)));
};

/** The parts of the library's connection that its TLS upgrade uses. The version is pinned, and tests hold it. */
type Upgrading = {
  stream: Socket;
  packetParser: { execute(data: Buffer): void };
  startTLS(onSecure: (error?: Error) => void): void;
  _handleNetworkError(error: Error): void;
};

/**
 * Replaces the library's TLS upgrade with our handshake: the library's does not verify names for IP addresses, resumes sessions
 * without verifying the name again, and cannot say what is wrong with a certificate.
 */
function verifyOurselves(
  connection: Connection,
  socket: Socket,
  { host }: DatabaseConfig,
  running: RunningCheck,
  upgraded: (socket: Socket) => void,
): void {
  const upgrading = connection as unknown as Upgrading;
  upgrading.startTLS = (onSecure) => {
    socket.removeAllListeners('data');
    secured(running, socket, host, { verify: true }).then((secure) => {
      secure.on('error', (error) => upgrading._handleNetworkError(error));
      secure.on('data', (data: Buffer) => upgrading.packetParser.execute(data));
      upgraded(secure);
      upgrading.stream = secure;
      onSecure();
    }, onSecure);
  };
}

async function signedIn(
  connection: Connection,
  config: DatabaseConfig,
  running: RunningCheck,
  cap: Cap,
): Promise<boolean> {
  try {
    await within(
      running,
      config.host,
      called((done) => connection.connect(done)),
    );
    judgeSignIn(running, config);
    return true;
  } catch (error) {
    if (isQueryError(error) && error.code === 'HANDSHAKE_NO_SSL_SUPPORT')
      throw starttlsUnavailable(config.host, 'the server has it switched off');
    const finding = signInFinding(error, config);
    if (finding === undefined) throw brokenSession(error, config, cap);
    judgeSignIn(running, config, finding);
    return false;
  }
}

/** The finding for the server's error number; undefined for an error that is not the server's. */
function signInFinding(error: unknown, config: DatabaseConfig): Finding | undefined {
  if (!isQueryError(error) || !fromServer(error)) return undefined;
  const words = wordsOf(error.message, config);
  switch (error.errno) {
    case 1044: // ER_DBACCESS_DENIED_ERROR: also the answer for a database that does not exist
    case 1045: // ER_ACCESS_DENIED_ERROR
    case 1130: // ER_HOST_NOT_PRIVILEGED
    case 1698: // ER_ACCESS_DENIED_NO_PASSWORD_ERROR
      return refusal('auth_failed', words);
    case 1049: // ER_BAD_DB_ERROR
      return refusal('database_unknown', words);
    case 1040: // ER_CON_COUNT_ERROR
    case 1203: // ER_TOO_MANY_USER_CONNECTIONS
      return refusal('too_many_connections', words);
    default:
      return refusal('sign_in_failed', words);
  }
}

/** One statement (the session takes no more), in a transaction that can only read. */
async function ask(
  connection: Connection,
  config: DatabaseConfig,
  running: RunningCheck,
  cap: Cap,
): Promise<void> {
  const run = (sql: string) => called<unknown>((done) => connection.query(sql, done));
  const work = async () => {
    if (config.query === null) {
      await called((done) => connection.ping(done));
      return 'answered';
    }
    await run(timeLimit(running.deadlineAtMs - performance.now())).catch((error: unknown) => {
      // A server without this limit: only our deadline ends the query.
      if (!isQueryError(error) || !fromServer(error)) throw error;
    });
    await run('START TRANSACTION READ ONLY');
    const rows = await run(config.query);
    if (!Array.isArray(rows)) return 'answered';
    return `answered, ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
  };
  try {
    judgeQuery(running, config, { answer: await within(running, config.host, work()) });
  } catch (error) {
    if (!isQueryError(error) || !fromServer(error)) throw brokenSession(error, config, cap);
    // ER_STATEMENT_TIMEOUT of MariaDB, ER_QUERY_TIMEOUT of MySQL.
    if (error.errno === 1969 || error.errno === 3024) throw answerTimeout(config.host);
    judgeQuery(running, config, refusal('query_failed', wordsOf(error.message, config)));
  }
}

/**
 * Ends the query on the server at our deadline, which it would not notice otherwise. MariaDB and MySQL spell it differently,
 * and each skips the other's comment.
 */
function timeLimit(leftMs: number): string {
  const ms = Math.max(1, Math.floor(leftMs));
  return `SET @tocsin = 1 /*M!100101 , max_statement_time = ${(ms / 1000).toFixed(3)} */ /*!50708 , max_execution_time = ${ms} */`;
}

function called<T>(call: (done: (error: unknown, value?: T) => void) => unknown): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}

const isQueryError = (error: unknown): error is QueryError =>
  error instanceof Error && !(error instanceof OutboundFailure) && 'code' in error;

/** Errors of the server have a number and an SQL state; those of the library and the network do not. */
const fromServer = (error: QueryError) => typeof error.errno === 'number' && error.errno > 0;
