import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { Code, ConnectError } from '@connectrpc/connect';
import { createGrpcTransport, type GrpcTransportOptions } from '@connectrpc/connect-node';
import type { Check, Finding } from '#probe/check-outcome.ts';
import type { GrpcConfig } from '#src/monitors/types/grpc/config.ts';
import { codeOf, endpoint, OutboundFailure } from '#src/platform/outbound/failures.ts';
import { type OpenSession, openHttp2 } from '#src/platform/outbound/http2-session.ts';
import {
  answerFailure,
  answerTooLarge,
  connectionClosed,
  invalidAnswer,
  MAX_PIECES,
  tooManyPieces,
} from '../answer-failures.ts';
import { plainHost } from '../host.ts';
import { reach } from '../reach.ts';
import { type RunningCheck, runCheck } from '../run-check.ts';
import { within } from '../within.ts';
import { healthCheck, SERVICE_UNKNOWN, SERVING, SERVING_STATUS } from './health.ts';

/** A health answer is a few bytes. */
const ANSWER_BYTES = 64 * 1024;
/** The answer with its headers and the overhead of the connection. */
const SESSION_BYTES = 2 * ANSWER_BYTES;

/** Checks a gRPC server by grpc.health.v1 (docs/rules/monitor-types.md#grpc): SERVING is up. */
export const grpc: Check<GrpcConfig> = (config, context) =>
  runCheck(config, context, 'target_app', async (running) => {
    const { socket, secure } = await reach(
      running,
      config,
      config.tls ? { verify: true, alpn: ['h2'] } : undefined,
    );
    if (secure && secure.alpnProtocol !== 'h2') throw noHttp2(config.host);
    const status = await ask(socket, config, running);
    if (status === undefined) return;
    running.judge(
      'Serving status',
      { expected: SERVING_STATUS[SERVING], actual: SERVING_STATUS[status] ?? String(status) },
      servingFinding(status, config),
    );
  });

/** The serving status; undefined if the server answered with an error, which is judged here. */
async function ask(socket: Socket, config: GrpcConfig, running: RunningCheck): Promise<number | undefined> {
  const baseUrl = `${config.tls ? 'https' : 'http'}://${endpoint(plainHost(config.host), config.port)}`;
  const open = openHttp2(socket, baseUrl, {
    maxBytes: SESSION_BYTES,
    tooMuch: () => answerTooLarge(config.host, SESSION_BYTES),
  });
  const sentAtMs = performance.now();
  try {
    const transport = createGrpcTransport({
      baseUrl,
      sessionManager: onlySession(open, baseUrl, config.host),
      acceptCompression: [],
      readMaxBytes: ANSWER_BYTES,
    });
    const call = transport.unary(healthCheck, running.signal, undefined, metadata(config), {
      service: config.service,
    });
    const { message } = await within(running, config.host, call);
    running.timings.first_byte = performance.now() - sentAtMs;
    running.measured.responseCode = 0;
    running.judge('gRPC status', { expected: '0 (OK)', actual: '0 (OK)' });
    return 'status' in message ? Number(message.status) : 0;
  } catch (error) {
    const answered = statusOf(error, open, config.host);
    running.timings.first_byte = performance.now() - sentAtMs;
    running.measured.responseCode = answered.code;
    const actual = `${answered.code} (${nameOf(answered.code)}) ${answered.rawMessage}`;
    running.judge('gRPC status', { expected: '0 (OK)', actual }, statusFinding(answered, config));
    return undefined;
  } finally {
    open.session.destroy();
    socket.destroy();
  }
}

type Sessions = NonNullable<GrpcTransportOptions['sessionManager']>;

/**
 * The library's own session manager would reconnect on its own, and sometimes leaves a session without an error listener, whose
 * error would end the process.
 */
function onlySession({ session }: OpenSession, baseUrl: string, host: string): Sessions {
  return {
    authority: new URL(baseUrl).origin,
    request: async (method, path, headers, options) =>
      inFewPieces(session, session.request({ ...headers, ':method': method, ':path': path }, options), host),
    notifyResponseByteRead: () => undefined,
  };
}

/**
 * Destroys the session after `MAX_PIECES` frames that reach JavaScript: data, informational headers, GOAWAY. Native code
 * handles and limits the others.
 */
function inFewPieces(
  session: ClientHttp2Session,
  stream: ClientHttp2Stream,
  host: string,
): ClientHttp2Stream {
  let pieces = 0;
  const isFew = (): boolean => {
    pieces += 1;
    if (pieces > MAX_PIECES) session.destroy(tooManyPieces(host, MAX_PIECES));
    return pieces <= MAX_PIECES;
  };
  session.on('goaway', isFew);
  stream.on('headers', isFew);
  // Not by `data`: a listener for it would take the data from the library.
  const push = stream.push.bind(stream);
  stream.push = (chunk, encoding) => isFew() && push(chunk, encoding);
  return stream;
}

function metadata(config: GrpcConfig): Headers {
  try {
    return new Headers(config.metadata);
  } catch {
    throw new OutboundFailure(
      'invalid_config',
      'probe',
      'config.metadata has a name or value that cannot be sent',
    );
  }
}

/** The server's answer; throws OutboundFailure if there was none. */
function statusOf(error: unknown, open: OpenSession, host: string): ConnectError {
  if (
    error instanceof ConnectError &&
    (error.metadata.has('grpc-status') || error.rawMessage.startsWith('HTTP '))
  )
    return error;
  if (error instanceof OutboundFailure) throw error;
  const broken = open.failure() ?? (error instanceof ConnectError ? error.cause : error);
  if (broken instanceof OutboundFailure) throw broken;
  if (codeOf(broken).startsWith('ERR_HTTP2_')) throw noHttp2(host);
  if (codeOf(broken) !== '') throw answerFailure(broken, host);
  if (error instanceof ConnectError && error.code === Code.ResourceExhausted)
    throw answerTooLarge(host, ANSWER_BYTES);
  if (open.session.destroyed) throw connectionClosed(host);
  throw invalidAnswer(
    `${host} did not answer in gRPC${error instanceof ConnectError ? `: ${error.rawMessage}` : ''}`,
  );
}

const noHttp2 = (host: string) => invalidAnswer(`${host} does not speak HTTP/2, which gRPC needs`);

const nameOf = (code: Code) => (Code[code] ?? 'Unknown').replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();

function statusFinding({ code, rawMessage }: ConnectError, config: GrpcConfig): Finding {
  const finding = (failureClass: string, detail: string): Finding => ({
    failureClass,
    layer: 'target_app',
    detail,
  });
  const said = rawMessage === '' ? '' : `: ${rawMessage}`;
  if (code === Code.NotFound) return unknownService(config);
  if (code === Code.Unimplemented)
    return finding('grpc_unimplemented', `${config.host} does not implement grpc.health.v1${said}`);
  return finding('grpc_status', `${config.host} answered gRPC status ${code} (${nameOf(code)})${said}`);
}

function servingFinding(status: number, config: GrpcConfig): Finding | undefined {
  if (status === SERVING) return undefined;
  if (status === SERVICE_UNKNOWN) return unknownService(config);
  return {
    failureClass: 'grpc_not_serving',
    layer: 'target_app',
    detail: `${shown(config)} is ${SERVING_STATUS[status] ?? status}`,
  };
}

function unknownService(config: GrpcConfig): Finding {
  return {
    failureClass: 'grpc_unknown_service',
    layer: 'target_app',
    detail: `${config.host} knows no service "${config.service}" (config.service)`,
  };
}

const shown = ({ service }: GrpcConfig) =>
  service === '' ? 'The server as a whole' : `The service "${service}"`;
