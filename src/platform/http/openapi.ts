// OpenAPI 3.1 from the same operation objects that validate and serialize
// (docs/rules/errors-and-conventions.md#openapi-document).
import { IsOptional } from 'typebox';
import { ErrorBody, type Operation } from '../contract.ts';
import { limitedBy } from './authorize.ts';

export const INTERFACE_VERSION = '1.0.0-beta.1';

type Schema = Record<string, unknown>;

/** The document for a list of operations at a base address. */
export function openApiDocument(operations: readonly Operation[], baseUrl: string): Schema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    (paths[operation.path] as Schema)[operation.method.toLowerCase()] = describe(operation);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tocsin',
      version: INTERFACE_VERSION,
      description: 'Monitoring that confirms before it alarms. Times are Unix seconds (UTC); ids are opaque.',
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: clean(ErrorBody) },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: `${baseUrl.startsWith('https:') ? '__Host-' : ''}tocsin.session_token`,
        },
        key: { type: 'http', scheme: 'bearer' },
      },
    },
  };
}

const WORDS: Record<number, string> = {
  400: 'Refused: a field is invalid',
  401: 'Not authenticated',
  402: 'The plan has no room or lacks the capability',
  403: 'No membership, or too few rights',
  404: 'No such resource',
  409: 'Conflict',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests',
  503: 'The database is unavailable; try again after Retry-After',
};

const header = (description: string) => ({ description, schema: { type: 'integer' } });
const PAUSE = { 'Retry-After': header('seconds to wait') };

/** Sent with every answer that was counted, and `Retry-After` with 429 (docs/rules/limits.md#requests-a-minute). */
const BUDGET = {
  'RateLimit-Limit': header('requests in a minute'),
  'RateLimit-Remaining': header('requests left in this one'),
  'RateLimit-Reset': header('seconds until it ends'),
  ...PAUSE,
};

const HEADERS: Record<number, Schema> = { 429: BUDGET, 503: PAUSE };

function describe(operation: Operation): Schema {
  const own = operation.right === 'probe' || operation.right === 'agent' || operation.right === 'wall';
  const bearer = own || operation.scope !== undefined;
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    ...(operation.scope ? { 'x-api-key-enabled': true, 'x-required-scope': operation.scope } : {}),
    'x-required-right': operation.right,
    ...(operation.fresh ? { 'x-fresh-sign-in': operation.fresh === true ? 'always' : 'sometimes' } : {}),
    security:
      operation.right === 'public'
        ? []
        : [...(own ? [] : [{ session: [] }]), ...(bearer ? [{ key: [] }] : [])],
    parameters: parametersOf(operation),
    ...(operation.body
      ? {
          requestBody: {
            required: !IsOptional(operation.body),
            content: { 'application/json': { schema: clean(operation.body) } },
          },
        }
      : operation.consumes !== undefined
        ? { requestBody: { required: true, content: { [operation.consumes]: {} } } }
        : {}),
    responses: {
      [operation.status]: operation.reply
        ? { description: 'Done', content: { 'application/json': { schema: clean(operation.reply) } } }
        : described(operation),
      ...Object.fromEntries(
        statusesOf(operation).map((status) => [
          status,
          {
            description: WORDS[status] ?? 'Refused',
            ...(HEADERS[status] ? { headers: HEADERS[status] } : {}),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
      ),
    },
  };
}

function described({ status, produces }: Operation): Schema {
  if (produces !== undefined) return { description: 'Done', content: { [produces]: {} } };
  return { description: status === 204 ? 'Done' : 'A stream' };
}

function statusesOf(operation: Operation): number[] {
  const statuses = new Set(operation.refusals ?? []);
  if (operation.right !== 'public') statuses.add(401);
  if (operation.resource !== 'none') statuses.add(403).add(404);
  // A key may lack the scope.
  if (operation.right === 'operator' || operation.scope || operation.fresh) statuses.add(403);
  if (operation.capability) statuses.add(402);
  // Also without a body in the contract: a body sent anyway is refused by name.
  statuses.add(400);
  if (operation.body) statuses.add(413).add(415);
  // Requests with a credential of any kind, and throttled operations, are counted; see rate-limits.ts.
  const { throttled, bearer, session } = limitedBy(operation);
  if (throttled || bearer || session) statuses.add(429);
  statuses.add(503);
  return [...statuses].sort((a, b) => a - b);
}

function parametersOf(operation: Operation): Schema[] {
  const of = (schema: unknown, where: 'path' | 'query') => {
    const { properties = {}, required = [] } = (schema ?? {}) as { properties?: Schema; required?: string[] };
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: clean(property),
    }));
  };
  return [...of(operation.params, 'path'), ...of(operation.query, 'query')];
}

/** Schemas carry symbols and functions of their library; the document is plain JSON. */
const clean = (schema: unknown): Schema => JSON.parse(JSON.stringify(schema)) as Schema;
