// Browser-safe. Fills a config in with the defaults that its schema states: for the server, and for the form.
import type { TObject, TSchema } from 'typebox';

type Values = Record<string, unknown>;

/** The parts of a schema that decide its default. */
type Stated = {
  default?: unknown;
  type?: unknown;
  const?: unknown;
  anyOf?: readonly Stated[];
  properties?: Readonly<Record<string, Stated>>;
};

/**
 * The config with its defaults, in the order of the schema; nested objects are filled in, too. `given` has passed no check
 * yet: an unknown field comes last, and validation then refuses it by name.
 */
export const withDefaults = (schema: TObject, given: Values): Values => filled(schema as Stated, given);

/** The default of one field; undefined where there is none. */
export const defaultOf = (schema: TObject, field: string): unknown =>
  stated((schema.properties as Record<string, TSchema & Stated>)[field] ?? {});

function filled({ properties = {} }: Stated, given: Values): Values {
  const complete: Values = {};
  for (const [name, property] of Object.entries(properties)) {
    const value = given[name] ?? stated(property);
    if (value !== undefined) complete[name] = value;
  }
  const all = { ...complete, ...given };
  for (const [name, property] of Object.entries(properties))
    if (isObject(all[name])) all[name] = filledBy(property, all[name]);
    else if (all[name] === null && property.properties) all[name] = complete[name];
  return all;
}

/** A nested object, by its schema or by the member of a union that its literals choose. */
function filledBy(schema: Stated, given: Values): Values {
  if (schema.properties) return filled(schema, given);
  const chosen = schema.anyOf?.find(
    ({ properties }) =>
      properties &&
      Object.entries(properties).every(
        ([name, { const: only }]) => only === undefined || only === given[name],
      ),
  );
  return chosen ? filledBy(chosen, given) : given;
}

/** The stated default, null where null is allowed, or an object of nothing but defaults. */
function stated(schema: Stated): unknown {
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (isNullable(schema)) return null;
  if (!schema.properties) return undefined;
  const complete = filled(schema, {});
  return Object.keys(schema.properties).every((name) => name in complete) ? complete : undefined;
}

const isNullable = ({ type, anyOf }: Stated): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf?.some(isNullable) ?? false);

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
