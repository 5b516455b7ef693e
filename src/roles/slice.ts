// The routes and hooks that a role adds to the HTTP server of its process.
import type { FastifyInstance } from 'fastify';
import type { Route } from '../platform/http/route.ts';

export type Slice = {
  /** Operations, for the mount. */
  routes: readonly Route[];
  /** Adds what is no operation. */
  serve: (http: FastifyInstance) => Promise<void>;
  /** Answers the requests that are held open; new ones are not held any more. */
  release: () => void;
};
