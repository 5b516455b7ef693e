// Browser-safe. Config of type `http` (docs/rules/monitor-types.md#http), after defaults.
import { type Static, Type } from 'typebox';
import { closed, Nullable } from '#src/platform/contract.ts';
import { destination, originOf, verificationOf } from '../destination.ts';

const Operator = Type.Enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains', 'exists', 'matches']);

export const HttpAuth = Type.Union([
  Type.Object(
    {
      kind: Type.Literal('basic'),
      username: Type.String({ maxLength: 1024 }),
      password: Type.String({ maxLength: 4096 }),
    },
    closed,
  ),
  Type.Object(
    { kind: Type.Literal('bearer'), token: Type.String({ minLength: 1, maxLength: 8192 }) },
    closed,
  ),
]);

export const Keyword = Type.Object(
  {
    text: Type.String({ minLength: 1, maxLength: 512 }),
    mode: Type.Enum(['contains', 'not_contains', 'regex'], { default: 'contains' }),
    case_sensitive: Type.Boolean({ default: false }),
  },
  closed,
);

export const JsonAssertion = Type.Object(
  { path: Type.String({ minLength: 1, maxLength: 512 }), op: Operator, value: Type.Optional(Type.Unknown()) },
  closed,
);

export const HeaderAssertion = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 256 }),
    op: Operator,
    value: Type.Optional(Type.String({ maxLength: 4096 })),
  },
  closed,
);

export const HttpTls = Type.Object(
  {
    verify: Type.Boolean({ default: true }),
    min_days_left: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 3650 }))),
    server_name: Type.Optional(Nullable(Type.String({ maxLength: 253 }))),
    ca_pem: Type.Optional(Nullable(Type.String({ maxLength: 65536 }))),
    client_cert_pem: Type.Optional(Nullable(Type.String({ maxLength: 65536 }))),
    client_key_pem: Type.Optional(Nullable(Type.String({ maxLength: 65536 }))),
  },
  closed,
);

/** `expected_status` entries: one status ("204") or an inclusive range ("200-299"). */
export const StatusRange = Type.String({ pattern: '^[1-5][0-9]{2}(-[1-5][0-9]{2})?$', maxLength: 7 });

export const HttpConfig = Type.Object(
  {
    url: Type.String({ maxLength: 8192 }),
    method: Type.Enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], { default: 'GET' }),
    headers: Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 8192 }), {
      default: {},
      maxProperties: 50,
    }),
    /** Names of headers to seal beside `authorization`, `cookie` and `proxy-authorization`. */
    secret_headers: Type.Array(Type.String({ maxLength: 256 }), { default: [], maxItems: 50 }),
    body: Nullable(Type.String({ maxLength: 262144 })),
    auth: Nullable(HttpAuth),
    timeout_ms: Type.Integer({ minimum: 100, maximum: 300000, default: 10000 }),
    follow_redirects: Type.Boolean({ default: true }),
    max_redirects: Type.Integer({ minimum: 0, maximum: 10, default: 10 }),
    expected_status: Type.Array(StatusRange, { default: ['200-299'], minItems: 1, maxItems: 50 }),
    degraded_after_ms: Nullable(Type.Integer({ minimum: 1, maximum: 300000 })),
    keyword: Nullable(Keyword),
    json_assertions: Type.Array(JsonAssertion, { default: [], maxItems: 50 }),
    header_assertions: Type.Array(HeaderAssertion, { default: [], maxItems: 50 }),
    tls: HttpTls,
    ip_family: Type.Enum(['auto', '4', '6'], { default: 'auto' }),
    max_body_bytes: Type.Integer({ minimum: 1, maximum: 4194304, default: 1048576 }),
    cache_bust: Type.Boolean({ default: false }),
    /** Whether a failed check keeps the headers and the beginning of the answer, without credentials. */
    keep_response: Type.Boolean({ default: true }),
  },
  closed,
);
export type HttpConfig = Static<typeof HttpConfig>;

/** Credentials do not follow a redirect to another origin. */
export const httpDestination = (config: Readonly<Record<string, unknown>>): string =>
  destination(originOf(config.url), ...verificationOf(config));
