// Browser-safe. Completes a config with the defaults of its schema: for the server, and for the form.
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
 * The config with its defaults, in the order of the schema, nested objects included. `given` has not been validated: an unknown
 * field comes last, and validation then refuses it by name.
 */
export const withDefaults = (schema: TObject, given: Values): Values => filled(schema as Stated, given);

/** The default of one field; undefined if it has none. */
export const defaultOf = (schema: TObject, field: string): unknown =>
  stated((schema.properties as Record<string, TSchema & Stated>)[field] ?? {});

/** One field of an object, with its default. */
type Field = { name: string; property: Stated; fallback: unknown };
const fields = new WeakMap<object, Field[]>();

/** Cached by schema: a list of monitors completes a thousand configs of a few types. */
function fieldsOf(properties: Readonly<Record<string, Stated>>): Field[] {
  const known = fields.get(properties);
  if (known) return known;
  const found = Object.entries(properties).map(([name, property]) => ({
    name,
    property,
    fallback: stated(property),
  }));
  fields.set(properties, found);
  return found;
}

function filled({ properties = {} }: Stated, given: Values): Values {
  const known = fieldsOf(properties);
  const all: Values = {};
  for (const { name, fallback } of known) {
    const value = given[name] ?? copied(fallback);
    if (value !== undefined) all[name] = value;
  }
  for (const [name, value] of Object.entries(given)) {
    // An object that has only defaults cannot be null.
    const isSet = value !== null || !properties[name]?.properties;
    if (isSet) all[name] = value;
  }
  for (const { name, property } of known) if (isObject(all[name])) all[name] = filledBy(property, all[name]);
  return all;
}

/** A new default for each config. Defaults are JSON, for which structuredClone takes ten times as long. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copied(each)]));
}

/** A nested object, by its schema or by the member of a union that its literals select. */
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

/** The stated default, null if null is allowed, or an object that has only defaults. */
function stated(schema: Stated): unknown {
  if (schema.default !== undefined) return schema.default;
  if (isNullable(schema)) return null;
  if (!schema.properties) return undefined;
  const complete = filled(schema, {});
  return Object.keys(schema.properties).every((name) => name in complete) ? complete : undefined;
}

const isNullable = ({ type, anyOf }: Stated): boolean =>
  type === 'null' || (Array.isArray(type) && type.includes('null')) || (anyOf?.some(isNullable) ?? false);

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
