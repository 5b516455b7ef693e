// The typed client. Method, path and types of every call come from the operations that the server mounts.
import type { BodyOf, ErrorBody, Operation, ParamsOf, QueryOf, ReplyOf } from '#src/platform/contract.ts';
import { noteServerTime } from './server-clock.ts';

type RequiredPart<Key extends string, Part> = unknown extends Part
  ? { [K in Key]?: undefined }
  : { [K in Key]: Part };

/** The input of one operation: `params` and `body` where the contract has them; `query` is always optional. */
export type RequestOf<O> = RequiredPart<'params', ParamsOf<O>> &
  RequiredPart<'body', BodyOf<O>> & { query?: unknown extends QueryOf<O> ? undefined : QueryOf<O> };

/**
 * Any non-2xx answer, in the common error shape (docs/rules/errors-and-conventions.md#error-shape). `status` 0: the server
 * was not reached.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly limit: number | undefined;
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  /** The delay that Retry-After asks for, in seconds; undefined without one. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: ErrorBody, retryAfterSeconds?: number) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.code = body.error;
    this.field = body.field ?? undefined;
    this.limit = body.limit ?? undefined;
    this.reason = body.reason ?? undefined;
    this.requestId = body.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Whether a call failed because no answer came. */
export const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'error' in value && 'message' in value;
}

/** The server's own timeout is shorter: an answer that has not come by then was lost. */
const READ_PATIENCE_MS = 15_000;
/** A write has several statements, each with a timeout on the server. */
const WRITE_PATIENCE_MS = 60_000;
/** Operations that take longer by themselves: a test waits for the timeout of its monitor, which is at most 5 minutes. */
const LONGER_PATIENCE_MS: Record<string, number> = { testMonitor: 330_000, importConfiguration: 330_000 };
/** The server ends a download of which nothing was taken for as long. */
const DOWNLOAD_PATIENCE_MS = 60_000;

const patienceFor = (method: string) => (method === 'GET' ? READ_PATIENCE_MS : WRITE_PATIENCE_MS);
const unreachable = () => new ApiError(0, { error: 'unreachable', message: 'The server cannot be reached.' });

type Reauthenticator = () => Promise<boolean>;
let reauthenticate: Reauthenticator | null = null;

/**
 * Asks people to sign in afresh when an operation requires it: true once they have. null: nobody can ask, so the call stays
 * refused.
 */
export function setReauthenticator(ask: Reauthenticator | null): void {
  reauthenticate = ask;
}

/**
 * Fetches a path of the same origin with the session cookie and returns its JSON. A call that requires a fresh sign-in
 * waits for it and is repeated. Throws ApiError, also when no answer comes within `patienceMs`; whether a write without an
 * answer happened, nobody knows.
 */
export async function fetchJson(
  method: string,
  path: string,
  body?: unknown,
  { signal, patienceMs = patienceFor(method) }: { signal?: AbortSignal; patienceMs?: number } = {},
): Promise<unknown> {
  return (await whenProven(() => fetchOnce(method, path, body, patienceMs, signal))).reply;
}

async function whenProven<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === 'fresh_sign_in_required';
    if (!isStale || reauthenticate === null || !(await reauthenticate())) throw error;
    return ask();
  }
}

async function fetchOnce(
  method: string,
  path: string,
  body: unknown,
  patienceMs: number,
  signal: AbortSignal | undefined,
): Promise<{ reply: unknown; next: string | null }> {
  const { response, bytes } = await answerTo(method, path, body, patienceMs, signal);
  if (!response.ok) throw await refusalOf(response, bytes);
  return { reply: await jsonOf(bytes), next: nextOf(response.headers.get('link')) };
}

/** The `before` of the page that follows one of a list; null: there is none. */
function nextOf(link: string | null): string | null {
  const [, address] = /^<([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  return address === undefined ? null : new URL(address, 'http://localhost').searchParams.get('before');
}

async function jsonOf(bytes: Blob): Promise<unknown> {
  const text = await bytes.text();
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function refusalOf({ status, headers }: Response, bytes: Blob): Promise<ApiError> {
  const reply = await jsonOf(bytes);
  return new ApiError(
    status,
    isErrorBody(reply) ? reply : { error: 'unexpected', message: `HTTP ${status}` },
    secondsOf(headers.get('retry-after')),
  );
}

/** Sends a blob as it is and anything else as JSON. */
async function answerTo(
  method: string,
  path: string,
  body: unknown,
  patienceMs: number,
  signal?: AbortSignal,
): Promise<{ response: Response; bytes: Blob }> {
  const lost = new AbortController();
  const timer = setTimeout(() => lost.abort(), patienceMs);
  try {
    const isFile = body instanceof Blob;
    const response = await fetch(path, {
      method,
      credentials: 'same-origin',
      headers:
        body === undefined
          ? {}
          : { 'content-type': isFile ? body.type || 'application/octet-stream' : 'application/json' },
      body: body === undefined ? null : isFile ? body : JSON.stringify(body),
      signal: signal ? AbortSignal.any([lost.signal, signal]) : lost.signal,
    });
    noteServerTime(response.headers.get('date'), Date.now());
    return { response, bytes: await response.blob() };
  } catch {
    signal?.throwIfAborted();
    throw unreachable();
  } finally {
    clearTimeout(timer);
  }
}

const secondsOf = (header: string | null) =>
  header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;

function pathOf(
  operation: Operation,
  params: Record<string, unknown>,
  query: Record<string, unknown>,
): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return search.size === 0 ? path : `${path}?${search}`;
}

/**
 * Calls one operation of the API. Where a page of a list ended by its bytes, the pages that follow are read as well, until it has
 * `limit` rows. Throws ApiError, or the reason of an aborted `signal`.
 */
export async function call<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  signal?: AbortSignal,
): Promise<ReplyOf<O>> {
  const { limit } = (request.query ?? {}) as { limit?: number };
  if (operation.method === 'GET' && limit !== undefined)
    return (await rowsUpTo(limit, operation, request, signal)) as ReplyOf<O>;
  const patienceMs = LONGER_PATIENCE_MS[operation.id] ?? patienceFor(operation.method);
  const waiting = { patienceMs, ...(signal ? { signal } : {}) };
  const path = pathOfRequest(operation, request);
  return (await fetchJson(operation.method, path, request.body, waiting)) as ReplyOf<O>;
}

async function rowsUpTo<O extends Operation>(
  limit: number,
  operation: O,
  request: RequestOf<O>,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const rows: unknown[] = [];
  let query: Record<string, unknown> = request.query ?? {};
  for (;;) {
    const path = pathOf(operation, (request.params ?? {}) as Record<string, unknown>, query);
    const { reply, next } = await whenProven(() =>
      fetchOnce('GET', path, undefined, READ_PATIENCE_MS, signal),
    );
    if (!Array.isArray(reply)) return reply;
    rows.push(...reply);
    if (next === null || rows.length >= limit) return rows;
    query = { ...query, before: next, limit: limit - rows.length };
  }
}

/** Calls an operation with a file as its body. Throws ApiError. */
export async function callWithFile<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  file: Blob,
): Promise<ReplyOf<O>> {
  return (await fetchJson(operation.method, pathOfRequest(operation, request), file)) as ReplyOf<O>;
}

/** Calls an operation that returns a file. Throws ApiError. */
export async function callForFile<O extends Operation>(operation: O, request: RequestOf<O>): Promise<Blob> {
  const { method } = operation;
  const path = pathOfRequest(operation, request);
  const { response, bytes } = await answerTo(method, path, undefined, patienceFor(method));
  if (!response.ok) throw await refusalOf(response, bytes);
  return bytes;
}

/**
 * The same for files of any size: `onBytes` receives the bytes so far, and the browser stores the data as a blob. A call
 * that requires a fresh sign-in waits for it. Throws ApiError, also when the download breaks off or stops.
 */
export function callForDownload<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  onBytes: (bytes: number) => void,
): Promise<Blob> {
  return whenProven(async () => {
    const path = pathOfRequest(operation, request);
    const lost = new AbortController();
    const giveUp = () => setTimeout(() => lost.abort(), DOWNLOAD_PATIENCE_MS);
    let timer = giveUp();
    let response: Response;
    let received: Blob;
    try {
      response = await fetch(path, {
        method: operation.method,
        credentials: 'same-origin',
        signal: lost.signal,
      });
      let bytes = 0;
      const counted = new TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          clearTimeout(timer);
          timer = giveUp();
          bytes += chunk.length;
          onBytes(bytes);
          controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
        },
      });
      received = await new Response(response.body?.pipeThrough(counted) ?? null).blob();
    } catch {
      throw unreachable();
    } finally {
      clearTimeout(timer);
    }
    if (!response.ok) throw await refusalOf(response, received);
    return received;
  });
}

/** The path of a call, with its query string. */
export const pathOfRequest = <O extends Operation>(operation: O, request: RequestOf<O>) =>
  pathOf(
    operation,
    (request.params ?? {}) as Record<string, unknown>,
    (request.query ?? {}) as Record<string, unknown>,
  );
