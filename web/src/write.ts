// Every write goes through here, so that the reads it makes stale are refetched (stale-after.ts).
import type { Operation, ReplyOf } from '#src/platform/contract.ts';
import { readAgain } from './cached.ts';
import { ApiError, call, callWithFile, fetchJson, isUnreachable, type RequestOf } from './call.ts';
import { STALE_AFTER } from './stale-after.ts';

type AuthPath = Extract<keyof typeof STALE_AFTER, `/auth/${string}`>;
type OnReply<Reply> = (reply: Reply) => unknown;

/**
 * Calls a write operation, then refetches the stale reads on screen. `onReply` runs in between: it stores the reply, or
 * leaves the page of a deleted resource. Throws ApiError.
 */
export function send<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  onReply?: OnReply<ReplyOf<O>>,
): Promise<ReplyOf<O>> {
  return written(operation.id, said(operation, call(operation, request)), onReply, idsOf(request.params));
}

/** The same for an operation whose body is a file. Throws ApiError. */
export function upload<O extends Operation>(
  operation: O,
  request: RequestOf<O>,
  file: Blob,
): Promise<ReplyOf<O>> {
  const asked = said(operation, callWithFile(operation, request, file));
  return written(operation.id, asked, undefined, idsOf(request.params));
}

/** The same for a path of the sign-in library, which is not in the contract. Throws ApiError. */
export function post<Reply = unknown>(
  path: AuthPath,
  body: object,
  onReply?: OnReply<Reply>,
): Promise<Reply> {
  return written(path, fetchJson('POST', path, body) as Promise<Reply>, onReply);
}

/**
 * Says of a write without an answer that it may have happened, where doing it twice is not the same as once: somebody who
 * reads that the server cannot be reached presses the button again.
 */
async function said<Reply>({ method }: Operation, asked: Promise<Reply>): Promise<Reply> {
  try {
    return await asked;
  } catch (error) {
    if (method !== 'POST' || !isUnreachable(error)) throw error;
    throw new ApiError(0, { error: 'unanswered', message: 'No answer came; it may have been done.' });
  }
}

/** The write is done: a read that hangs, or is tried again, keeps no form open and no button busy for longer. */
const PATIENCE_MS = 3_000;

async function written<Reply>(
  what: string,
  asked: Promise<Reply>,
  onReply: OnReply<Reply> | undefined,
  about: readonly unknown[] = [],
): Promise<Reply> {
  let reply: Reply;
  try {
    reply = await asked;
    await onReply?.(reply);
  } catch (error) {
    // A refusal may mean that the page was stale, and a write whose answer was lost may have happened. Then no reply replaces
    // what is shown of the resource itself, either.
    void readStale(what);
    void readAgain({ predicate: ({ queryKey }) => idsOf(queryKey[1]).some((id) => about.includes(id)) });
    throw error;
  }
  await atMost(PATIENCE_MS, readStale(what));
  return reply;
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(over.resolve, ms);
  await Promise.race([work, over.promise]);
  clearTimeout(timer);
}

/** The ids of what a request is about, beside its organization. */
const idsOf = (params: unknown): unknown[] =>
  typeof params === 'object' && params !== null
    ? Object.entries(params).flatMap(([name, id]) => (name === 'org_id' ? [] : [id]))
    : [];

async function readStale(what: string): Promise<void> {
  const table: Record<string, readonly string[]> = STALE_AFTER;
  const stale = table[what] ?? [];
  await Promise.all(stale.map((first) => readAgain({ queryKey: [first] })));
}
