// Values that fit a contract's schema, for property tests. Covers the parts of JSON Schema that our contracts use.
import fc from 'fast-check';
import type { TSchema } from 'typebox';

type Schema = {
  type?: string | string[];
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  patternProperties?: Record<string, Schema>;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  minItems?: number;
  pattern?: string;
};

/** Texts that people really write, with which the fuzz gets past the first validation. */
const WORDS = [
  'http',
  'webhook',
  'local',
  'opened',
  'resolved',
  'majority',
  'count',
  'reboot',
  'up',
  'down',
  'Name',
  'probe',
  'https://shop.example.com/',
  'http://127.0.0.1/',
  '••••',
  'alice@example.com',
  'x',
];

/** An arbitrary of values that the schema accepts (patterns aside). */
export function fitting(schema: TSchema): fc.Arbitrary<unknown> {
  return of(schema as Schema);
}

function of(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(of));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => of({ ...schema, type })));
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return fc.oneof(
        fc.constantFrom(...WORDS),
        fc.string({ maxLength: Math.min(schema.maxLength ?? 30, 30) }),
      );
    case 'array':
      return fc.array(of(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'object':
      return objectOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectOf({ properties, required = [], patternProperties }: Schema): fc.Arbitrary<unknown> {
  const [pattern] = Object.values(patternProperties ?? {});
  if (pattern)
    return fc.dictionary(fc.constantFrom('Accept', 'X-One', 'Host', ''), of(pattern), { maxKeys: 2 });
  const fields = Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, field]) => [name, of(field)]),
  );
  if (Object.keys(fields).length === 0) return fc.object({ maxDepth: 1, maxKeys: 3 });
  return fc.record(fields, { requiredKeys: required as never[] });
}
