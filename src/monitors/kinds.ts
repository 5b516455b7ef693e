// Every monitor type there is: a new one is a file in kinds/ and a line here.
import type { Kind } from './kind.ts';
import { http } from './kinds/http.ts';

export const KINDS: ReadonlyMap<string, Kind> = new Map(
  [http as unknown as Kind].map((kind) => [kind.type, kind]),
);
