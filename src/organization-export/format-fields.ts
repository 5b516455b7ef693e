// The field types of the lines of an export.

import { type TProperties, type TSchema, Type } from 'typebox';
import { closed } from '../platform/contract.ts';
import type { IdPrefix } from '../platform/ids.ts';

export const object = <P extends TProperties>(properties: P) => Type.Object(properties, closed);
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
export const oneOf = <const V extends readonly string[]>(values: V) =>
  Type.Unsafe<V[number]>(Type.Enum([...values]));
/** In the form of PostgreSQL's JSON, in UTC. */
export const Instant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?\\+00:00$',
});
export const id = (prefix: IdPrefix) => Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` });
export const Text = Type.String({ maxLength: 100_000 });
/** Shown in lists, so never empty. The limit is longer than any name that can be given, so that none is refused. */
export const Name = Type.String({ minLength: 1, maxLength: 1000 });
export const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 100 });
/** The region of a result; empty for monitors without regions. */
export const Place = Type.String({ pattern: '^([a-z0-9]+(-[a-z0-9]+)*)?$', maxLength: 100 });
export const Hash = Type.String({ pattern: '^\\\\x[0-9a-f]{64}$' });
/** Bytes of the activity log's chain; empty before its first entry. */
export const ChainHash = Type.String({ pattern: '^\\\\x([0-9a-f]{2}){0,32}$' });
export const ChainNo = Type.Integer({ minimum: 0 });
export const Count = Type.Integer({ minimum: 0, maximum: 2_147_483_647 });
export const Ms = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 });
export const Bins = Type.Array(Count, { maxItems: 256 });
export const Names = Type.Array(Text, { maxItems: 1000 });
