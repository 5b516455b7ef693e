import type { Socket } from 'node:net';
import type { Finding } from '#probe/check-outcome.ts';
import type { DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { codeOf, OutboundFailure } from '#src/platform/outbound/failures.ts';
import {
  answerFailure,
  answerTooLarge,
  connectionClosed,
  invalidAnswer,
  MAX_PIECES,
  tooManyPieces,
} from '../answer-failures.ts';
import { contain } from '../contain.ts';
import type { RunningCheck } from '../run-check.ts';

/**
 * Signs in, runs the query and says goodbye, judging sign-in and query; `startedAtMs` is the beginning of the check. Throws
 * OutboundFailure if the check ends without an answer of the server.
 */
export type Engine = (running: RunningCheck, config: DatabaseConfig, startedAtMs: number) => Promise<void>;

/** A result only proves that the query ran, so no more than this is read. */
const ANSWER_BYTES = 1_048_576;

export type Cap = () => OutboundFailure | undefined;

/**
 * Destroys the connection after 1 MiB or too many pieces, and returns that failure if it happened. Call it after the library
 * has begun to listen, so that the library gets the server's first bytes.
 */
export function capped(socket: Socket, host: string): Cap {
  contain(socket);
  let received = 0;
  let pieces = 0;
  let failure: OutboundFailure | undefined;
  socket.on('data', (chunk: Buffer) => {
    if (failure) return;
    received += chunk.length;
    pieces += 1;
    if (received > ANSWER_BYTES) failure = answerTooLarge(host, ANSWER_BYTES);
    else if (pieces > MAX_PIECES) failure = tooManyPieces(host, MAX_PIECES);
    if (failure) socket.destroy();
  });
  return () => failure;
}

/** The failure behind a library error that did not come from the server: a lost connection, or another protocol. */
export function brokenSession(error: unknown, { host, engine }: DatabaseConfig, cap: Cap): OutboundFailure {
  const failure = cap();
  if (failure) return failure;
  const code = codeOf(error);
  if (error instanceof OutboundFailure || /^(ECONN|EPIPE|EPROTO|ETIMEDOUT|ERR_SSL_|EHOST|ENET)/.test(code))
    return answerFailure(error, host);
  const message = error instanceof Error ? error.message : '';
  if (code === 'PROTOCOL_CONNECTION_LOST' || /connection (terminated|lost|is closed)/i.test(message))
    return connectionClosed(host);
  return invalidAnswer(`${host} did not answer as a ${engine} server does`);
}

/** The server's message as one line of at most 300 characters, without the password in case the server repeated it. */
export function wordsOf(message: string, { password }: DatabaseConfig): string {
  const [line = ''] = message.split(/[\r\n]/, 1);
  const clean = password ? line.replaceAll(password, '•••') : line;
  return clean.length <= 300 ? clean : `${clean.slice(0, 299)}…`;
}

/** A server's refusal, in its own words. */
export function refusal(failureClass: string, words: string): Finding {
  return { failureClass, layer: 'target_app', detail: words };
}

/** Judges the sign-in, with the user and the server's refusal. */
export function judgeSignIn(
  running: RunningCheck,
  { username, database }: DatabaseConfig,
  finding?: Finding,
): void {
  const who = username === null ? 'without a user name' : `as ${username}`;
  running.judge(
    'Sign-in',
    {
      expected: database === null ? who : `${who}, database ${database}`,
      actual: finding?.detail ?? 'accepted',
    },
    finding,
  );
}

/** Judges the query, or the ping if there is none. */
export function judgeQuery(
  running: RunningCheck,
  { query }: DatabaseConfig,
  said: { answer: string } | Finding,
): void {
  const good = 'answer' in said;
  running.judge(
    query === null ? 'Ping' : 'Query',
    { expected: 'an answer without an error', actual: good ? said.answer : said.detail },
    good ? undefined : said,
  );
}
