import type { Socket } from 'node:net';
import pg from 'pg';
import type { Finding } from '#probe/check-outcome.ts';
import { DATABASE_PORTS, type DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { answerTimeout } from '../answer-failures.ts';
import { reach, secured } from '../reach.ts';
import type { RunningCheck } from '../run-check.ts';
import { askForTls } from '../tls/starttls.ts';
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

/** The user that every installation has; used if the config names none. */
const DEFAULT_USER = 'postgres';

/** A session with a PostgreSQL server. */
export const postgres: Engine = async (running, config, startedAtMs) => {
  const port = config.port ?? DATABASE_PORTS.postgres;
  const { socket: plain } = await reach(running, { ...config, port });
  let socket = plain;
  if (config.tls) {
    await askForTls('postgres', plain, config.host, running);
    socket = await secured(running, plain, config.host, { verify: true });
  }
  const user = config.username ?? DEFAULT_USER;
  const client = new pg.Client({
    host: config.host,
    port,
    user,
    database: config.database ?? user,
    // A function, because without a password the library would search this machine's files for one.
    password: () => config.password ?? '',
    stream: () => connected(socket),
    ssl: false,
    application_name: 'tocsin',
  });
  client.on('error', () => undefined);
  const connecting = client.connect();
  const cap = capped(socket, config.host);
  if (!(await signedIn(connecting, config, running, cap))) return;
  await ask(client, config, running, cap);
  await endGracefully(running, startedAtMs, () => client.end());
};

/** Adapts a connected socket (to a vetted address) to the library, which expects to connect its own. */
function connected(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return Object.assign(socket, { connect });
}

async function signedIn(
  connecting: Promise<unknown>,
  config: DatabaseConfig,
  running: RunningCheck,
  cap: Cap,
): Promise<boolean> {
  try {
    await within(running, config.host, connecting);
    judgeSignIn(running, config);
    return true;
  } catch (error) {
    const finding = signInFinding(error, config);
    if (finding === undefined) throw brokenSession(error, config, cap);
    judgeSignIn(running, config, finding);
    return false;
  }
}

/** The finding for an SQLSTATE (PostgreSQL manual, appendix A); undefined for an error that is not the server's. */
function signInFinding(error: unknown, config: DatabaseConfig): Finding | undefined {
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    const words = wordsOf(error.message, config);
    if (code.startsWith('28') || code === '42501') return refusal('auth_failed', words);
    if (code === '3D000') return refusal('database_unknown', words);
    if (code === '53300') return refusal('too_many_connections', words);
    if (code === '57P03') return refusal('not_ready', words);
    return refusal('sign_in_failed', words);
  }
  // The library itself refuses an empty password.
  if (error instanceof Error && /^SASL: .*client password/.test(error.message))
    return refusal('auth_failed', 'The server asks for a password and the config has none');
  if (error instanceof Error && error.message.startsWith('SASL: '))
    return refusal('sign_in_failed', wordsOf(error.message, config));
  return undefined;
}

/** SQL as one statement (the extended protocol takes no more), in a transaction that can only read. */
async function ask(
  client: pg.Client,
  config: DatabaseConfig,
  running: RunningCheck,
  cap: Cap,
): Promise<void> {
  const run = async () => {
    if (config.query === null) {
      await client.query('SELECT 1');
      return 'answered';
    }
    // Without this the server would continue a query whose client is gone.
    const leftMs = Math.max(1, Math.floor(running.deadlineAtMs - performance.now()));
    await client.query(`BEGIN READ ONLY; SET LOCAL statement_timeout = ${leftMs}`);
    const query = { text: config.query, rowMode: 'array' as const, queryMode: 'extended' };
    const { rowCount } = await client.query(query);
    await client.query('ROLLBACK');
    return rowCount === null ? 'answered' : `answered, ${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`;
  };
  try {
    judgeQuery(running, config, { answer: await within(running, config.host, run()) });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw brokenSession(error, config, cap);
    if (error.code === '57014' && performance.now() >= running.deadlineAtMs - 50)
      throw answerTimeout(config.host);
    judgeQuery(running, config, refusal('query_failed', wordsOf(error.message, config)));
  }
}
