// Bodies that are not JSON (`consumes` of an operation): their bytes, whatever type the client declares. Their content decides
// what they are.
import type { FastifyInstance, RouteOptions } from 'fastify';
import { Refusal } from '../refusals.ts';

/** Adds a route whose body is read as bytes. Parsers belong to an instance, so the route gets an instance of its own. */
export function addBytesRoute(http: FastifyInstance, route: RouteOptions): void {
  void http.register((own, _options, registered) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
      const encoding = request.headers['content-encoding'] ?? 'identity';
      if (encoding === 'identity') return done(null, body);
      done(new Refusal('unsupported_media_type', 'Send the request body without a content-encoding.'));
    });
    own.route(route);
    registered();
  });
}
