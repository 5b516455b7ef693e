// The caller, as units of work and handlers know it.
import { refuse } from '../refusals.ts';
import type { Actor } from '../work.ts';
import type { Caller, ResourceFilter } from './caller.ts';

/** As the activity log names it. */
export function actorOf(caller: Caller | null, address: string): Actor {
  if (caller?.kind === 'user') return { kind: 'user', id: caller.userId, name: caller.name, address };
  if (caller?.kind === 'key') return { kind: 'key', id: caller.keyId, name: caller.name, address };
  if (caller?.kind === 'probe')
    return { kind: 'agent', id: null, name: `probe ${caller.regionSlug}`, address };
  if (caller?.kind === 'agent')
    return { kind: 'agent', id: caller.agentId, name: `agent ${caller.hostname}`, address };
  if (caller?.kind === 'wall') return { kind: 'system', id: null, name: `wall ${caller.name}`, address };
  return { kind: 'system', id: null, name: 'anonymous', address };
}

/** The id of the calling person. Operations that take no keys have one; any other caller is refused. */
export const personOf = (caller: Caller | null): string =>
  caller?.kind === 'user' ? caller.userId : refuse('forbidden', 'This is for people only.');

/** The narrowing of a key. */
export const withinOf = (caller: Caller | null): ResourceFilter =>
  caller?.kind === 'key' ? caller.within : null;
