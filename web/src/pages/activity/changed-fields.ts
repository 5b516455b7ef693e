// Compares the two states of a resource that an activity entry stores, leaf by leaf, in their order.

/** `before` or `after` is undefined if the field did not exist. */
export type ChangedField = { path: string; before: unknown; after: unknown };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function leaves(value: unknown, path: string, into: Map<string, unknown>): Map<string, unknown> {
  if (isRecord(value) && (path === '' || Object.keys(value).length > 0)) {
    for (const [name, inner] of Object.entries(value))
      leaves(inner, path === '' ? name : `${path}.${name}`, into);
  } else if (path !== '') into.set(path, value);
  return into;
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);

/** The fields that changed; all of them if the resource was created or deleted. A list counts as one value. */
export function changedFields(before: unknown, after: unknown): ChangedField[] {
  const old = leaves(before, '', new Map());
  const now = leaves(after, '', new Map());
  const paths = new Set([...old.keys(), ...now.keys()]);
  return [...paths]
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
    .filter((field) => !same(field.before, field.after));
}
