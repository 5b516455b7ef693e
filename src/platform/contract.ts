// Browser-safe: the dashboard's typed client is built from the same operation objects that the server mounts.
import { type Static, type TOptional, type TSchema, Type } from 'typebox';

/**
 * The callers that an operation admits; the mount checks it before the body is read
 * (docs/rules/errors-and-conventions.md#order-of-refusals).
 */
export type Right =
  | 'public' // no credential needed
  | 'signed_in' // any user (or a key, if `scope` is set)
  | 'member' // owner, admin, manager, member; viewers too for a read, and if `viewers` is set
  | 'project_management' // owner, admin, manager
  | 'member_management' // owner, admin
  | 'admin' // organization admin: owner, admin
  | 'owner' // owners only
  | 'operator' // operator of the installation
  | 'probe' // a probe token
  | 'agent' // the credential of a host agent
  | 'wall'; // the token of a link to a wall display

/** The resource that the path's id names; the mount finds its organization by it (404 before 403). */
export type Resource = 'none' | 'organization' | 'project' | 'monitor' | 'alert_profile' | 'status_page';

/** Resource half of an API key scope (docs/rules/access.md#scopes). */
export type ScopeResource =
  | 'organization'
  | 'projects'
  | 'monitors'
  | 'incidents'
  | 'maintenance'
  | 'on-call'
  | 'status-pages'
  | 'webhooks'
  | 'agents';
export type Scope = `${ScopeResource}:${'read' | 'write'}`;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Operation<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Reply extends TSchema = TSchema,
> = {
  /** Stable operationId in OpenAPI (docs/rules/errors-and-conventions.md#openapi-document). */
  id: string;
  method: Method;
  /** OpenAPI style: /monitors/{monitor_id} */
  path: string;
  summary: string;
  tag: string;
  right: Right;
  resource: Resource;
  /** API keys are accepted with this scope; absent = sessions only (`key_not_accepted`). */
  scope?: Scope;
  /**
   * How an operation on a whole organization treats a key narrowed to projects or monitors. `filtered`: the handler shows and
   * changes only what lies `within` the key. Absent: the key is refused (403), so an operation that somebody forgot leaks
   * nothing.
   */
  narrowed?: 'filtered';
  /**
   * Whether an operation of `member` other than a GET admits viewers, who only read: it changes only their own settings, or
   * nothing.
   */
  viewers?: true;
  /** Path parameter that names a user who may do it too, whatever their role (leaving an organization). */
  orSelf?: string;
  /**
   * Requires a sign-in or a renewed proof within the last 15 minutes (403 `fresh_sign_in_required`), so that a
   * borrowed session cannot do it. `sometimes`: the handler decides (`demandFresh`), as its summary says. Does not
   * apply to keys.
   */
  fresh?: true | 'sometimes';
  /**
   * Counts against one address's 60 such requests a minute
   * (docs/rules/limits.md#requests-a-minute).
   */
  throttled?: boolean;
  /** Plan capability that is checked before the body is read (402 plan_capability). */
  capability?: 'on_call' | 'incident_command' | 'private_status_pages' | 'white_label';
  params?: Params;
  query?: Query;
  /** `Type.Optional(…)`: the body may be absent. */
  body?: Body;
  /** Status of success; 204 has no reply schema. */
  status: 200 | 201 | 202 | 204;
  reply?: Reply;
  /** Media type of an answer that is not JSON. */
  produces?: string;
  /** Media type of a body that is not JSON. */
  consumes?: string;
  /** Error codes beyond those that follow from right, resource and body: listed in OpenAPI. */
  refusals?: readonly number[];
  /** Largest body in bytes; default 256 KiB. */
  bodyLimit?: number;
};

/** Options of an object schema that allows no other fields. */
export const closed = { additionalProperties: false } as const;

/** Largest body, in bytes, of an operation that takes a monitor's config, or whose valid texts and lists exceed the default. */
export const LARGE_BODY_LIMIT = 1024 * 1024;

/** Declares one operation of the interface; an identity function that keeps the literal types. */
export function operation<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Reply extends TSchema,
>(declared: Operation<Params, Query, Body, Reply>): Operation<Params, Query, Body, Reply> {
  return declared;
}

/** Types of one operation's parts, for handlers and for the dashboard's client. */
export type ParamsOf<O> = O extends { params?: infer S extends TSchema } ? Static<S> : Record<string, never>;
export type QueryOf<O> = O extends { query?: infer S extends TSchema } ? Static<S> : Record<string, never>;
export type BodyOf<O> = O extends { body?: infer S extends TSchema }
  ? S extends TOptional
    ? Static<S> | undefined
    : Static<S>
  : undefined;
export type ReplyOf<O> = O extends { reply?: infer S extends TSchema } ? Static<S> : undefined;

/**
 * Field: a value that may also be null. Plain types become a JSON Schema type list (`["string", "null"]`), which
 * serializes several times faster than a union; everything else becomes a union.
 */
export function Nullable<S extends TSchema>(schema: S) {
  const plain = schema as { type?: unknown; properties?: unknown; items?: unknown };
  const isPlain =
    typeof plain.type === 'string' && plain.properties === undefined && plain.items === undefined;
  return isPlain
    ? Type.Unsafe<Static<S> | null>({ ...schema, type: [plain.type, 'null'] })
    : Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
}

/** Of the year 9999. */
export const LAST_SECOND = 253402300799;

/** Field: integer Unix seconds (UTC); the bounds keep every value inside PostgreSQL's timestamps and JSON's safe integers. */
export const UnixSeconds = (options: { description?: string } = {}) =>
  Type.Integer({ minimum: 0, maximum: LAST_SECOND, ...options });

/** Field: signed 32-bit count or duration; `_ms`/`_seconds` in the field's name carries the unit. */
export const Int32 = (minimum = 0, maximum = 2147483647) => Type.Integer({ minimum, maximum });

/** Field: opaque id of any kind; a malformed one is an unknown resource (404), so the schema only bounds its size. */
export const Id = Type.String({ maxLength: 200 });

/**
 * Query fields of a list that can grow (docs/rules/errors-and-conventions.md#lists-and-pages); `before` is the last row of the
 * previous page.
 */
export const pageFields = (before: string) => ({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  before: Type.Optional(Type.String({ maxLength: 200, description: before })),
});

/** Query of a list that can grow and has no other parameters. */
export const PageQuery = (before: string) => Type.Object(pageFields(before), closed);

/** The one error shape of every operation (docs/rules/errors-and-conventions.md#error-shape). */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'stable code' }),
    message: Type.String({ description: 'English sentence naming the field' }),
    field: Type.Optional(Nullable(Type.String())),
    limit: Type.Optional(Nullable(Type.Integer())),
    reason: Type.Optional(Nullable(Type.String())),
    request_id: Type.Optional(Type.String({ description: 'with internal only' })),
  },
  closed,
);
export type ErrorBody = Static<typeof ErrorBody>;
