// Secrets inside a config: sealed in the database, masked in every answer, open only on the way to a probe.
import { refuse } from '../platform/refusals.ts';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import { type Kind, SECRET_MASK } from './kind.ts';

type Config = Record<string, unknown>;

const contextOf = (monitorId: string, path: string[]) => `monitor ${monitorId} config.${path.join('.')}`;

const fieldOf = (path: readonly string[]) => `config.${path.join('.')}`;

const at = (config: Config | null, path: readonly string[]) =>
  path.reduce<unknown>((inner, key) => (inner as Config | undefined)?.[key], config ?? undefined);

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

/** A masked config for the activity log: secrets that were written anew say so, or nobody could tell that they were. */
export function markNewSecrets(kind: Kind, masked: Config, stored: Config, before: Config): Config {
  return change(kind, masked, (value, path) =>
    at(stored, path) === at(before, path) ? value : `${SECRET_MASK} (new)`,
  );
}

/** Bytes of a config as it is stored: JSON, its secrets sealed. Probes hold many of them at once. */
export const MOST_CONFIG_BYTES = 65_536;

/**
 * Seals what was given in clear. A value that came back as the mask was put back by `restoreMasked` and is sealed already.
 * Every config goes through here on its way to be stored, so this refuses one that is too large for it.
 */
export function sealConfig(kind: Kind, config: Config, monitorId: string, vault: Vault): Config {
  const sealed = change(kind, config, (value, path) =>
    vault.isSealed(value) ? value : vault.seal(value, contextOf(monitorId, path)),
  );
  const bytes = Buffer.byteLength(JSON.stringify(sealed));
  if (bytes > MOST_CONFIG_BYTES)
    refuse(
      'invalid_request',
      `config takes ${bytes} bytes with its secrets sealed, and a monitor may have ${MOST_CONFIG_BYTES}; shorten its longest values, or check in several monitors.`,
      { field: 'config', limit: MOST_CONFIG_BYTES },
    );
  return sealed;
}

/** Whether a secret of it is sealed under another key than the one in force: openConfig and sealConfig seal it again. */
export function hasStaleSecret(kind: Kind, config: Config, vault: Vault): boolean {
  return kind.secrets(config).some((path) => {
    const value = at(config, path);
    return typeof value === 'string' && vault.isSealed(value) && !vault.isCurrent(value);
  });
}

/** Opens every secret, for the probe that runs the check. */
export function openConfig(kind: Kind, config: Config, monitorId: string, vault: Vault): Config {
  return change(kind, config, (value, path) =>
    vault.isSealed(value) ? vault.open(value, contextOf(monitorId, path)) : value,
  );
}

/** Like `openConfig`, for a write: what cannot be opened any more has to be sent anew. */
export function openStored(kind: Kind, config: Config, monitorId: string, vault: Vault): Config {
  return change(kind, config, (value, path) => {
    try {
      return vault.isSealed(value) ? vault.open(value, contextOf(monitorId, path)) : value;
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      const field = fieldOf(path);
      const why = 'was sealed with another SECRET_KEY and cannot be read any more; send the secret again';
      return refuse('invalid_request', `${field} ${why}.`, { field });
    }
  });
}

/**
 * Puts the stored value where the mask was sent back; refuses a mask that stands for nothing, clear text that looks
 * sealed (it would be taken for our own and could not be opened), and to make a stored secret readable.
 */
export function restoreMasked(kind: Kind, config: Config, stored: Config | null, vault: Vault): Config {
  const sealed = new Map<string, unknown>();
  const secret = new Set(kind.secrets(config).map(fieldOf));
  for (const path of stored ? kind.secrets(stored) : []) {
    const field = fieldOf(path);
    const kept = at(stored, path);
    sealed.set(field, kept);
    if (!secret.has(field) && typeof kept === 'string' && at(config, path) === kept)
      refuse('invalid_request', `${field} was kept secret; send its value to make it readable.`, { field });
  }
  return change(kind, config, (value, path) => {
    const field = fieldOf(path);
    const kept = sealed.get(field);
    if (value === kept) return value;
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
