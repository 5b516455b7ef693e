/** The fields that have a value. */
export function withoutNulls<Fields extends object>(
  fields: Fields,
): { [Field in keyof Fields]?: Exclude<Fields[Field], null> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as ReturnType<
    typeof withoutNulls<Fields>
  >;
}
