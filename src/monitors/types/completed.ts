// How a config is filled in: from the defaults that its schema states.
import type { TObject } from 'typebox';

type Stated = { default?: unknown; type?: unknown; anyOf?: readonly { type?: unknown }[] };

/** What stands where nothing was given: the stated default, null where that may be, else nothing. */
function defaultOf(property: Stated): unknown {
  if (property.default !== undefined) return structuredClone(property.default);
  const isNullable =
    (Array.isArray(property.type) && property.type.includes('null')) ||
    property.anyOf?.some(({ type }) => type === 'null');
  return isNullable ? null : undefined;
}

/** A `complete` for a kind: fields in the order of the schema, what is unknown to it at the end, to be refused by name. */
export function completed(schema: TObject): (given: Record<string, unknown>) => Record<string, unknown> {
  const properties = Object.entries(schema.properties as Record<string, Stated>);
  return (given) => {
    const complete: Record<string, unknown> = {};
    for (const [name, property] of properties) {
      const value = given[name] ?? defaultOf(property);
      if (value !== undefined) complete[name] = value;
    }
    return { ...complete, ...given };
  };
}
