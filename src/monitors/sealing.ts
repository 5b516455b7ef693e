// Secrets inside a config: sealed in the database, masked in every answer, open only on the way to a probe.
import { refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import { type Kind, SECRET_MASK } from './kind.ts';

type Config = Record<string, unknown>;

const contextOf = (monitorId: string, path: string[]) => `monitor ${monitorId} config.${path.join('.')}`;

function change(kind: Kind, config: Config, to: (value: string, path: string[]) => string): Config {
  const paths = kind.secrets(config);
  if (paths.length === 0) return config;
  const copy = structuredClone(config);
  for (const path of paths) {
    const holder = path.slice(0, -1).reduce<Config>((inner, key) => inner[key] as Config, copy);
    const last = path.at(-1) ?? '';
    const value = holder[last];
    if (typeof value === 'string') holder[last] = to(value, path);
  }
  return copy;
}

/** Masks every secret, for answers and the activity log. */
export function maskConfig(kind: Kind, config: Config): Config {
  return change(kind, config, () => SECRET_MASK);
}

/** Seals what was given in clear. A value that came back as the mask was put back by `restoreMasked` and is sealed already. */
export function sealConfig(kind: Kind, config: Config, monitorId: string, vault: Vault): Config {
  return change(kind, config, (value, path) =>
    vault.isSealed(value) ? value : vault.seal(value, contextOf(monitorId, path)),
  );
}

/** Opens every secret, for the probe that runs the check. */
export function openConfig(kind: Kind, config: Config, monitorId: string, vault: Vault): Config {
  return change(kind, config, (value, path) =>
    vault.isSealed(value) ? vault.open(value, contextOf(monitorId, path)) : value,
  );
}

/**
 * Puts the stored value where the mask was sent back; refuses a mask that stands for nothing, and clear text that
 * looks sealed: it would be taken for our own and could not be opened.
 */
export function restoreMasked(kind: Kind, config: Config, stored: Config | null, vault: Vault): Config {
  return change(kind, config, (value, path) => {
    const kept = path.reduce<unknown>(
      (inner, key) => (inner as Config | undefined)?.[key],
      stored ?? undefined,
    );
    if (value === kept) return value;
    const field = `config.${path.join('.')}`;
    if (value !== SECRET_MASK) {
      if (vault.isSealed(value))
        refuse('invalid_request', `${field} looks like a sealed value; send the secret itself.`, { field });
      return value;
    }
    if (typeof kept !== 'string')
      refuse(
        'invalid_request',
        `${field} is the mask of a secret, but none is stored; send the secret itself.`,
        { field },
      );
    return kept;
  });
}
