// What happens to a form whose resource is changed elsewhere while it is open. Pure. Three states of the same fields: as the
// form was opened (`base`), as it is now (`mine`), and as the server has them now (`theirs`).
import { isDifferent } from '#web/ui/differ.ts';

export type Prefer = 'mine' | 'theirs';

/** A field that was changed here and elsewhere, to different values. */
export type Clash = { path: string; mine: unknown; theirs: unknown };

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * 2: fields may have fields that change apart, such as the configuration of a monitor. What is deeper counts as one value, and so
 * does a list.
 */
export type Depth = 1 | 2;

/** The fields whose changes exclude each other. */
export function clashesOf(base: object, mine: object, theirs: object, depth: Depth = 2): Clash[] {
  return inside(base as Fields, mine as Fields, theirs as Fields, '', depth);
}

function inside(base: Fields, mine: Fields, theirs: Fields, path: string, depth: number): Clash[] {
  return Object.keys(mine).flatMap((name) => {
    const [was, own, other] = [base[name], mine[name], theirs[name]];
    const full = path === '' ? name : `${path}.${name}`;
    if (depth > 1 && isFields(was) && isFields(own) && isFields(other))
      return inside(was, own, other, full, depth - 1);
    const isClash = isDifferent(own, was) && isDifferent(other, was) && isDifferent(own, other);
    return isClash ? [{ path: full, mine: own, theirs: other }] : [];
  });
}

/** What becomes of one field, from its three states. */
type Pick = (was: unknown, own: unknown, other: unknown) => unknown;

/** Both changes together: each field as it was changed, and as `prefer` says where both changed it. */
export function mergedOf<V extends object>(base: V, mine: V, theirs: V, prefer: Prefer, depth: Depth = 2): V {
  const pick: Pick = (was, own, other) => {
    if (!isDifferent(own, was)) return other;
    return isDifferent(other, was) && prefer === 'theirs' ? other : own;
  };
  return together(base as Fields, mine as Fields, theirs as Fields, pick, depth) as V;
}

/**
 * What the changes of a form are counted from if its untouched fields show `theirs`: only fields that were changed before are still
 * counted from `base`.
 */
export function followedOf<V extends object>(base: V, mine: V, theirs: V, depth: Depth = 2): V {
  const pick: Pick = (was, own, other) => (isDifferent(own, was) ? was : other);
  return together(base as Fields, mine as Fields, theirs as Fields, pick, depth) as V;
}

function together(base: Fields, mine: Fields, theirs: Fields, pick: Pick, depth: number): Fields {
  const names = Object.keys(mine).map((name) => {
    const [was, own, other] = [base[name], mine[name], theirs[name]];
    if (depth > 1 && isFields(was) && isFields(own) && isFields(other))
      return [name, together(was, own, other, pick, depth - 1)];
    return [name, pick(was, own, other)];
  });
  return Object.fromEntries(names) as Fields;
}

/** The fields of `now` that differ from `before`. */
export const changedOf = <V extends object>(before: V, now: V): Partial<V> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => isDifferent(value, before[name as keyof V])),
  ) as Partial<V>;
