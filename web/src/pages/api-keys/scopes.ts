// Scopes as people choose them: for each resource nothing, read or write; write implies read (docs/rules/access.md#scopes).
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

/** Scopes of a choice, the fewest that say it: write alone where both would be given. */
export function scopesOf(levels: Levels): Scope[] {
  return SCOPE_RESOURCES.flatMap((resource) => {
    const level = levels[resource];
    return level === 'none' ? [] : [`${resource}:${level}` as const];
  });
}

export type Grant = { resource: ScopeResource; level: 'read' | 'write' };

/** What a key may do, one entry per resource it has anything of, in the order of the contract. */
export function grantsOf(scopes: readonly string[]): Grant[] {
  return SCOPE_RESOURCES.flatMap((resource): Grant[] => {
    if (scopes.includes(`${resource}:write`)) return [{ resource, level: 'write' }];
    return scopes.includes(`${resource}:read`) ? [{ resource, level: 'read' }] : [];
  });
}

/** The level a key has of everything, or undefined when it differs between resources. */
export function levelOfAll(scopes: readonly string[]): 'read' | 'write' | undefined {
  const grants = grantsOf(scopes);
  const [first] = grants;
  const alike =
    grants.length === SCOPE_RESOURCES.length && grants.every((each) => each.level === first?.level);
  return alike ? first?.level : undefined;
}
