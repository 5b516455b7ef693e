// Scopes as people choose them: none, read or write for each resource; write implies read (docs/rules/access.md#scopes).
import { SCOPE_RESOURCES, type SCOPES } from '#src/api-keys/contract.ts';

export type ScopeResource = (typeof SCOPE_RESOURCES)[number];
export type Scope = (typeof SCOPES)[number];
export const LEVELS = ['none', 'read', 'write'] as const;
export type Level = (typeof LEVELS)[number];
export type Levels = Record<ScopeResource, Level>;

/** The same level for every resource. */
export function everyLevel(level: Level): Levels {
  return Object.fromEntries(SCOPE_RESOURCES.map((resource) => [resource, level])) as Levels;
}

/** The fewest scopes that express a choice: write alone where both were chosen. */
export function scopesOf(levels: Levels): Scope[] {
  return SCOPE_RESOURCES.flatMap((resource) => {
    const level = levels[resource];
    return level === 'none' ? [] : [`${resource}:${level}` as const];
  });
}

export type Grant = { resource: ScopeResource; level: 'read' | 'write' };

/** The access of a key, one entry per resource with any, in the order of the contract. */
export function grantsOf(scopes: readonly string[]): Grant[] {
  return SCOPE_RESOURCES.flatMap((resource): Grant[] => {
    if (scopes.includes(`${resource}:write`)) return [{ resource, level: 'write' }];
    return scopes.includes(`${resource}:read`) ? [{ resource, level: 'read' }] : [];
  });
}

/** The level that a key has for every resource, or undefined if it differs between them. */
export function levelOfAll(scopes: readonly string[]): 'read' | 'write' | undefined {
  const grants = grantsOf(scopes);
  const [first] = grants;
  const alike =
    grants.length === SCOPE_RESOURCES.length && grants.every((each) => each.level === first?.level);
  return alike ? first?.level : undefined;
}
