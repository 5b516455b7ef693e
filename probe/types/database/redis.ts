import type { Socket } from 'node:net';
import { AbstractConnector, Redis } from 'ioredis';
import type { Finding } from '#probe/check-outcome.ts';
import { commandWords } from '#src/domain/redis-command-line.ts';
import { DATABASE_PORTS, type DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { reach } from '../reach.ts';
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

/** A session with a Redis server, or one that speaks its protocol. */
export const redis: Engine = async (running, config, startedAtMs) => {
  const words = (config.query === null ? null : commandWords(config.query)) ?? ['PING'];
  const port = config.port ?? DATABASE_PORTS.redis;
  const { socket } = await reach(running, { ...config, port }, config.tls ? { verify: true } : undefined);
  const client = clientOver(socket);
  const cap = capped(socket, config.host);
  const send = (command: readonly string[]) => {
    const [name = '', ...parameters] = command;
    return within(running, config.host, client.call(name, ...parameters));
  };
  try {
    await within(running, config.host, client.connect());
    if (!(await signedIn(send, config, running, cap))) return;
    await ask(send, words, config, running, cap);
    await endGracefully(running, startedAtMs, () => send(['QUIT']));
  } catch (error) {
    throw error instanceof OutboundFailure ? error : brokenSession(error, config, cap);
  } finally {
    client.disconnect();
    socket.destroy();
  }
};

type Send = (command: readonly string[]) => Promise<unknown>;

/** A client over this connected socket only: no reconnect, no queue, no commands of its own. */
function clientOver(socket: Socket): Redis {
  class Connected extends AbstractConnector {
    constructor() {
      super(0);
    }
    override async connect(): Promise<Socket> {
      this.stream = socket;
      return socket;
    }
  }
  const client = new Redis({
    Connector: Connected,
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    disableClientInfo: true,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    protocol: 2,
  });
  client.on('error', () => undefined);
  return client;
}

/** Sends AUTH and SELECT as ordinary commands: the library would only warn about a refused password. */
async function signedIn(
  send: Send,
  config: DatabaseConfig,
  running: RunningCheck,
  cap: Cap,
): Promise<boolean> {
  const { username, password, database } = config;
  try {
    if (password !== null) await send(['AUTH', ...(username === null ? [] : [username]), password]);
    if (database !== null) await send(['SELECT', database]);
    judgeSignIn(running, config);
    return true;
  } catch (error) {
    const words = replyOf(error, config);
    if (words === undefined) throw brokenSession(error, config, cap);
    judgeSignIn(running, config, signInFinding(words) ?? refusal('sign_in_failed', words));
    return false;
  }
}

async function ask(
  send: Send,
  words: readonly string[],
  config: DatabaseConfig,
  running: RunningCheck,
  cap: Cap,
): Promise<void> {
  try {
    judgeQuery(running, config, { answer: shown(await send(words)) });
  } catch (error) {
    const reply = replyOf(error, config);
    if (reply === undefined) throw brokenSession(error, config, cap);
    judgeQuery(running, config, signInFinding(reply) ?? refusal('query_failed', reply));
  }
}

/** The error in the server's answer; undefined if it did not answer. */
function replyOf(error: unknown, config: DatabaseConfig): string | undefined {
  return error instanceof Error && error.name === 'ReplyError' ? wordsOf(error.message, config) : undefined;
}

/** The finding for a Redis error code, which any command may return. */
function signInFinding(words: string): Finding | undefined {
  if (/^(WRONGPASS|NOAUTH|DENIED)\b|^ERR (invalid password|AUTH |.*without any password)/i.test(words))
    return refusal('auth_failed', words);
  if (/DB index/i.test(words)) return refusal('database_unknown', words);
  if (/max number of clients/i.test(words)) return refusal('too_many_connections', words);
  if (/^(LOADING|MASTERDOWN|BUSY)\b/.test(words)) return refusal('not_ready', words);
  return undefined;
}

function shown(reply: unknown): string {
  if (typeof reply === 'string' || typeof reply === 'number') return String(reply).slice(0, 200);
  return Array.isArray(reply) ? `${reply.length} elements` : 'answered';
}
