// Names and values (HTTP headers, gRPC metadata): a map in the API, rows in the form.
export type HeaderLine = { name: string; value: string; secret: boolean };

export function readHeaders(map: Record<string, string>, secret: readonly string[]): HeaderLine[] {
  const sealed = new Set(secret.map((name) => name.toLowerCase()));
  return Object.entries(map).map(([name, value]) => ({
    name,
    value,
    secret: sealed.has(name.toLowerCase()),
  }));
}

/** Drops rows without a name. */
export function writeHeaders(lines: readonly HeaderLine[]): {
  map: Record<string, string>;
  secret: string[];
} {
  const named = lines.filter((line) => line.name.trim() !== '');
  return {
    map: Object.fromEntries(named.map((line) => [line.name.trim(), line.value])),
    secret: named.filter((line) => line.secret).map((line) => line.name.trim()),
  };
}
