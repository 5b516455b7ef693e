// Declares the handler of an operation: what it is called with, and whether it reads, writes or streams. mount.ts makes it a route.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '#src/domain/names.ts';
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from '../contract.ts';
import type { Tenant } from '../db/asker.ts';
import type { Actor, Database, TransactionOptions, Work, WorkOptions } from '../work.ts';
import type { Caller, Located, ResourceFilter } from './caller.ts';

export type Call<O> = {
  params: ParamsOf<O>;
  query: QueryOf<O>;
  body: BodyOf<O>;
  now: Date;
  caller: Caller | null;
  actor: Actor;
  /** The resource in the path; empty strings and nulls if the operation has none. */
  resource: Located;
  /** null for keys, and if the path names no organization. */
  role: Role | null;
  /** The tenant whose share of this server it uses; null: the system's. */
  tenant: Tenant | null;
  /** See ResourceFilter; null for people. */
  within: ResourceFilter;
  db: Database;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Refuses with `fresh_sign_in_required` a person whose last proof is too old; for `fresh: 'sometimes'`. */
  demandFresh: () => void;
  /** Opens a unit of work, for handlers that also work outside of one. */
  work: <T>(act: (work: Work) => Promise<T>, options?: WorkOptions) => Promise<T>;
};

export type Route = {
  operation: Operation;
  handle: (call: Call<Operation>) => Promise<unknown>;
  /** The answer streams or waits, so a HEAD would never end. */
  held?: boolean;
  /** `call.db` may be the replica. */
  mayLag?: boolean;
  /**
   * Refusals that come before any of the body's (404 of a child, 403, 402;
   * docs/rules/errors-and-conventions.md#order-of-refusals). The verb throws them too. This runs only when the request is
   * about to be refused for its body or query, so a good request pays nothing.
   */
  beforeBody?: (asked: AuthorizedRequest) => Promise<unknown>;
  /** Refuses a request that was let in, before its body is read: there is no room for it now. */
  admit?: (asked: {
    caller: Caller | null;
    bodyBytes: number;
    now: Date;
    reply: FastifyReply;
  }) => Promise<void>;
};

export type AuthorizedRequest = {
  params: Record<string, string>;
  /** Any JSON value; null if there was no body. */
  body: unknown;
  now: Date;
  resource: Located;
  role: Role | null;
  within: ResourceFilter;
  db: Database;
};

/** A route that only reads. */
export function read<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<ReplyOf<O>>,
): Route {
  return { operation, handle: handle as Route['handle'] };
}

/** A route that only reads, and whose handler returns its answer as serialized JSON, in UTF-8. */
export function readWritten<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<Buffer>,
): Route {
  return {
    operation,
    async handle(call) {
      const json = await handle(call as unknown as Call<O>);
      call.reply.header('content-type', 'application/json; charset=utf-8');
      return json;
    },
  };
}

/**
 * A route that only reads, and whose answer decides nothing: it may come from the replica, a bounded time behind
 * (docs/rules/command-line.md#reads-from-a-replica). After a failure there it runs again, on the primary.
 */
export function show<O extends Operation>(
  operation: O,
  handle: (call: Call<O>) => Promise<ReplyOf<O>>,
): Route {
  return { ...read(operation, handle), mayLag: true };
}

/** A route whose whole handler is one unit of work. */
export function write<O extends Operation>(
  operation: O,
  handle: (call: Call<O>, work: Work) => Promise<ReplyOf<O> | undefined>,
  options?: TransactionOptions,
): Route {
  return {
    operation,
    handle: (call) =>
      call.work((work) => handle(call as unknown as Call<O>, work) as Promise<unknown>, options),
  };
}

/** A route that streams, waits or calls out; it opens its own units of work. */
export function raw<O extends Operation>(operation: O, handle: (call: Call<O>) => Promise<unknown>): Route {
  return { operation, handle: handle as unknown as Route['handle'], held: true };
}

/** Default limit of a body, in bytes. */
export const BODY_LIMIT = 256 * 1024;
