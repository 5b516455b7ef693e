import { checkCanary } from '../domain/canary.ts';
import { targetSentence } from '../domain/target.ts';
import { refuse } from '../platform/refusals.ts';

/** Canaries as they are stored, each once; refuses one that is no `host:port` with `invalid_target`. */
export function acceptCanaries(given: readonly string[], allowSingleLabel: boolean): string[] {
  const accepted = given.map((value, index) => {
    const checked = checkCanary(value, { allowSingleLabel });
    const field = `canaries.${index}`;
    if (!checked.ok)
      refuse('invalid_target', targetSentence(field, checked.reason), { field, reason: checked.reason });
    return checked.host.includes(':')
      ? `[${checked.host}]:${checked.port}`
      : `${checked.host}:${checked.port}`;
  });
  return [...new Set(accepted)];
}
