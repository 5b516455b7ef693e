import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import WebSocket from 'ws';
import { occursIn } from '#probe/assertions/occurrence.ts';
import type { Check, Finding } from '#probe/check-outcome.ts';
import type { WebsocketConfig } from '#src/monitors/types/websocket/config.ts';
import { onDeadline } from '#src/platform/outbound/deadline.ts';
import { exchangeFailure } from '#src/platform/outbound/exchange-failure.ts';
import { cancelledByCaller, codeOf, OutboundFailure } from '#src/platform/outbound/failures.ts';
import { limitInformational } from '#src/platform/outbound/informational.ts';
import {
  answerFailure,
  answerMismatch,
  answerTimeout,
  answerTooLarge,
  tooManyPieces,
} from '../answer-failures.ts';
import { contain } from '../contain.ts';
import { reach } from '../reach.ts';
import { type RunningCheck, runCheck } from '../run-check.ts';
import { endGracefully, within } from '../within.ts';

/** The most bytes of one message, and of all messages that are searched for the expected text. */
const MESSAGE_BYTES = 1_048_576;
/** The most messages, pings and pongs together. Each costs the shared main loop far more than its bytes. */
const MAX_MESSAGES = 1_000;
/** The most fragments of one message: a server that flushes every 4 KiB needs them for 1 MiB. */
const MAX_FRAGMENTS = 256;
const HEADER_BYTES = 32 * 1024;
const SHOWN_CHARACTERS = 200;

/**
 * Checks a WebSocket (docs/rules/monitor-types.md#websocket): the handshake, the negotiated subprotocol, and a text message
 * with the expected content. Follows no redirects, offers no compression.
 */
export const websocket: Check<WebsocketConfig> = (config, context) =>
  runCheck(config, context, 'target_app', async (running) => {
    const startedAtMs = performance.now();
    const url = addressOf(config.url);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const secure = url.protocol === 'wss:';
    const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
    const { socket } = await reach(
      running,
      { host, port, ip_family: config.ip_family },
      secure ? { verify: true, alpn: ['http/1.1'] } : undefined,
    );
    const client = clientOver(socket, url, host, config);
    const messages = incoming(client, host, running);
    try {
      if (!(await opened(client, config, host, running))) return;
      if (config.send !== null) client.send(config.send);
      if (config.expect !== null) await judgeMessages(messages, config.expect, host, running);
      await endGracefully(running, startedAtMs, () => closed(client, socket));
    } finally {
      client.terminate();
    }
  });

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'ws:' && url?.protocol !== 'wss:')
    throw new OutboundFailure('invalid_config', 'probe', 'config.url is not a ws or wss address');
  // A fragment is never sent, and the library would refuse it.
  url.hash = '';
  return url;
}

function clientOver(socket: Socket, url: URL, host: string, config: WebsocketConfig): WebSocket {
  contain(socket);
  try {
    const client = new WebSocket(url, config.subprotocol === null ? [] : [config.subprotocol], {
      createConnection: () => socket,
      headers: { 'User-Agent': 'Tocsin/0.1', ...config.headers },
      finishRequest: (request) => {
        limitInformational(request, host, (failure) => request.destroy(failure));
        request.end();
      },
      followRedirects: false,
      perMessageDeflate: false,
      maxPayload: MESSAGE_BYTES,
      maxFragments: MAX_FRAGMENTS,
      maxHeaderSize: HEADER_BYTES,
    });
    client.on('error', () => undefined);
    return client;
  } catch (error) {
    throw new OutboundFailure(
      'invalid_config',
      'probe',
      `The handshake cannot be sent as configured (${codeOf(error) || 'config.subprotocol'})`,
    );
  }
}

/** Judges the answer to the handshake; whether the connection is open. */
function opened(
  client: WebSocket,
  config: WebsocketConfig,
  host: string,
  running: RunningCheck,
): Promise<boolean> {
  const sentAtMs = performance.now();
  const answered = (answer: IncomingMessage) => {
    const status = answer.statusCode ?? 0;
    running.timings.first_byte = performance.now() - sentAtMs;
    running.measured.responseCode = status;
    running.judge(
      'Handshake',
      { expected: '101 Switching Protocols', actual: String(status) },
      status === 101 ? undefined : refusedHandshake(status),
    );
  };
  let agreed = true;
  const opening = new Promise<boolean>((resolve, reject) => {
    client.once('upgrade', (answer) => {
      answered(answer);
      agreed = judgeSubprotocol(config, answer.headers['sec-websocket-protocol'], running);
    });
    client.once('unexpected-response', (_, answer) => {
      answered(answer);
      // Node does not treat a 101 without an Upgrade header as an upgrade.
      if (answer.statusCode === 101) return reject(notUpgraded(host));
      resolve(false);
    });
    client.once('open', () => resolve(true));
    client.once('error', (error) => (agreed ? reject(handshakeError(error, host)) : resolve(false)));
  });
  return within(running, host, opening);
}

function refusedHandshake(status: number): Finding {
  const redirect = status >= 300 && status <= 399 ? '; redirects are not followed' : '';
  return {
    failureClass: 'http_status',
    layer: 'target_http',
    detail: `The handshake was answered with ${status}; expected 101${redirect}`,
  };
}

function judgeSubprotocol(
  { subprotocol }: WebsocketConfig,
  agreed: string | undefined,
  running: RunningCheck,
): boolean {
  if (subprotocol === null && agreed === undefined) return true;
  return running.judge(
    'Subprotocol',
    { expected: subprotocol ?? 'none', actual: agreed ?? 'none' },
    agreed === (subprotocol ?? undefined)
      ? undefined
      : {
          failureClass: 'subprotocol_mismatch',
          layer: 'target_app',
          detail: `The server chose ${agreed === undefined ? 'no subprotocol' : `the subprotocol "${agreed.slice(0, 100)}"`}; expected ${subprotocol === null ? 'none' : `"${subprotocol}"`}`,
        },
  );
}

function notUpgraded(host: string): OutboundFailure {
  return new OutboundFailure(
    'invalid_handshake',
    'target_http',
    `${host} did not answer the handshake as a WebSocket server does: 101 without an upgrade to websocket`,
  );
}

/** Handshake errors of the library have no code; errors of Node do. */
function handshakeError(error: unknown, host: string): OutboundFailure {
  if (error instanceof OutboundFailure) return error;
  if (error instanceof Error && codeOf(error) === '')
    return new OutboundFailure(
      'invalid_handshake',
      'target_http',
      `${host} did not answer the handshake as a WebSocket server does: ${error.message}`,
    );
  return exchangeFailure(error, host);
}

type Messages = { find(expect: string): Promise<boolean>; last(): string };

/** Listens for text messages from the start, so that none that arrives with the handshake is missed. */
function incoming(client: WebSocket, host: string, running: RunningCheck): Messages {
  const texts: string[] = [];
  let last = '';
  let received = 0;
  let pieces = 0;
  let wake: (() => void) | undefined;
  let failure: OutboundFailure | undefined;
  const end = (ended: OutboundFailure) => {
    failure ??= ended;
    wake?.();
  };
  /** Throws, so that the library parses no further; `contain` destroys the socket. */
  const exceed = (exceeded: OutboundFailure): never => {
    end(exceeded);
    throw exceeded;
  };
  const count = () => {
    pieces += 1;
    if (pieces > MAX_MESSAGES) exceed(tooManyPieces(host, MAX_MESSAGES));
  };
  client.on('ping', count).on('pong', count);
  client.on('message', (data, isBinary) => {
    count();
    received += (data as Buffer).length;
    if (received > MESSAGE_BYTES) exceed(answerTooLarge(host, MESSAGE_BYTES));
    if (isBinary) return;
    texts.push((data as Buffer).toString('utf8'));
    wake?.();
  });
  client.once('error', (error) => end(messageFailure(error, host)));
  client.once('close', (code) =>
    end(
      new OutboundFailure(
        'connection_closed',
        'target_app',
        `${host} closed the connection (${code}) before the expected message came`,
      ),
    ),
  );
  return {
    last: () => last,
    find: (expect) =>
      new Promise((resolve, reject) => {
        const settle = (done: () => void) => {
          wake = undefined;
          release();
          done();
        };
        const release = onDeadline(running.deadlineAtMs, running.signal, (aborted) => {
          if (aborted) return settle(() => reject(cancelledByCaller()));
          if (last === '') return settle(() => reject(answerTimeout(host)));
          settle(() => resolve(false));
        });
        wake = () => {
          for (let text = texts.shift(); text !== undefined; text = texts.shift()) {
            last = text;
            if (occursIn(text, expect)) return settle(() => resolve(true));
          }
          if (failure) settle(() => reject(failure));
        };
        wake();
      }),
  };
}

function messageFailure(error: unknown, host: string): OutboundFailure {
  const code = codeOf(error);
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') return answerTooLarge(host, MESSAGE_BYTES);
  if (code === 'WS_ERR_TOO_MANY_BUFFERED_PARTS') return tooManyPieces(host, MAX_FRAGMENTS);
  if (code.startsWith('WS_ERR_'))
    return new OutboundFailure(
      'invalid_answer',
      'target_app',
      `${host} broke the WebSocket protocol (${code.slice('WS_ERR_'.length)})`,
    );
  return answerFailure(error, host);
}

async function judgeMessages(
  messages: Messages,
  expect: string,
  host: string,
  running: RunningCheck,
): Promise<void> {
  const found = await messages.find(expect);
  running.judge(
    'Message',
    { expected: `contains "${expect}"`, actual: messages.last().slice(0, SHOWN_CHARACTERS) },
    found
      ? undefined
      : answerMismatch(`No text message of ${host} contains what is expected (config.expect)`),
  );
}

/** The library emits nothing when a connection is destroyed while it parses, but the socket does. */
function closed(client: WebSocket, socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) return resolve();
    socket.once('close', () => resolve());
    client.close(1000);
  });
}
