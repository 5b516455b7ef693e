// Secrets inside a config: sealed in the database, masked in every answer, and opened only for a probe. Each is sealed together
// with its destination, so that no secret goes along when somebody changes the address.
import { refuse } from '../platform/refusals.ts';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import { quoted, SECRET_MASK, type TypeRules } from './types/rules.ts';

type Config = Record<string, unknown>;

const fieldOf = (path: readonly string[]) => `config.${path.join('.')}`;

/** Earlier versions sealed without the destination; such a secret is bound to it when the config is next written. */
const unboundContext = (monitorId: string, path: string[]) => `monitor ${monitorId} ${fieldOf(path)}`;

const contextOf = (monitorId: string, path: string[], destination: string) =>
  `${unboundContext(monitorId, path)} for ${destination}`;

function destinationOf(rules: TypeRules, config: Config): string {
  if (!rules.destination) throw new Error(`monitor type ${rules.type} has secrets and no destination`);
  return rules.destination(config);
}

const at = (config: Config | null, path: readonly string[]) =>
  path.reduce<unknown>((inner, key) => (inner as Config | undefined)?.[key], config ?? undefined);

function change(rules: TypeRules, config: Config, to: (value: string, path: string[]) => string): Config {
  const paths = rules.secrets(config);
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
export function maskConfig(rules: TypeRules, config: Config): Config {
  return change(rules, config, () => SECRET_MASK);
}

/** A masked config for the activity log. It marks replaced secrets, because nobody could see otherwise that they changed. */
export function markNewSecrets(rules: TypeRules, masked: Config, stored: Config, before: Config): Config {
  return change(rules, masked, (value, path) =>
    at(stored, path) === at(before, path) ? value : `${SECRET_MASK} (new)`,
  );
}

/** Bytes of a config as it is stored: JSON, its secrets sealed. Probes hold many of them at once. */
export const MAX_CONFIG_BYTES = 65_536;

/**
 * Seals the secrets that were given in clear, for the destination of this config. `restoreMasked` has put back the stored value
 * of a mask, which is sealed already. Every config passes through here before it is stored, so this is where one that is too
 * large is refused.
 */
export function sealConfig(rules: TypeRules, config: Config, monitorId: string, vault: Vault): Config {
  const sealed = sealSecrets(rules, config, monitorId, vault);
  const bytes = Buffer.byteLength(JSON.stringify(sealed));
  if (bytes > MAX_CONFIG_BYTES)
    refuse(
      'invalid_request',
      `config takes ${bytes} bytes with its secrets sealed, and a monitor may have ${MAX_CONFIG_BYTES}; shorten its longest values, or check in several monitors.`,
      { field: 'config', limit: MAX_CONFIG_BYTES },
    );
  return sealed;
}

function sealSecrets(rules: TypeRules, config: Config, monitorId: string, vault: Vault): Config {
  return change(rules, config, (value, path) => {
    const context = contextOf(monitorId, path, destinationOf(rules, config));
    if (!vault.isSealed(value)) return vault.seal(value, context);
    return opened(vault, value, context) === null
      ? vault.seal(vault.open(value, unboundContext(monitorId, path)), context)
      : value;
  });
}

/**
 * The config with its secrets sealed under the current key, whatever its size; null if they are already. A secret that no key
 * opens stays as it is beside the others; throws SecretUnreadable if there are only such ones.
 */
export function resealConfig(
  rules: TypeRules,
  config: Config,
  monitorId: string,
  vault: Vault,
): Config | null {
  let resealed = false;
  let lost: SecretUnreadable | null = null;
  const after = change(rules, config, (value, path) => {
    if (!vault.isSealed(value) || vault.isCurrent(value)) return value;
    const destination = destinationOf(rules, config);
    try {
      const text = openValue(vault, value, monitorId, path, destination);
      resealed = true;
      return vault.seal(text, contextOf(monitorId, path, destination));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      lost = error;
      return value;
    }
  });
  if (resealed) return after;
  if (lost) throw lost;
  return null;
}

/** Opens every secret, for the probe that runs the check. */
export function openConfig(rules: TypeRules, config: Config, monitorId: string, vault: Vault): Config {
  return change(rules, config, (value, path) =>
    vault.isSealed(value) ? openValue(vault, value, monitorId, path, destinationOf(rules, config)) : value,
  );
}

/**
 * Like `openConfig`, for a write that was merged over `stored`: kept secrets are opened for their old destination. A secret
 * that no key opens must be sent again.
 */
export function openStored(
  rules: TypeRules,
  config: Config,
  stored: Config,
  monitorId: string,
  vault: Vault,
): Config {
  return change(rules, config, (value, path) => {
    if (!vault.isSealed(value)) return value;
    try {
      return openValue(vault, value, monitorId, path, destinationOf(rules, stored));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      const field = fieldOf(path);
      const why = 'was sealed with another SECRET_KEY and cannot be read any more; send the secret again';
      return refuse('invalid_request', `${field} ${why}.`, { field });
    }
  });
}

/** Refuses to send a kept secret to a new destination: a person who knows it can enter it again. */
export function refuseMovedSecrets(rules: TypeRules, config: Config, stored: Config, vault: Vault): void {
  const field = firstKept(rules, config, stored, vault);
  if (field === null || destinationOf(rules, config) === destinationOf(rules, stored)) return;
  const why =
    'was stored for another destination (scheme, host, port, TLS verification) and does not go to this one';
  refuse('invalid_request', `${field} ${why}; send the secret again.`, { field });
}

/**
 * Refuses to send a kept secret to the probes of a region that does not check the monitor yet: they need not know it, and the
 * same address may be another machine there.
 */
export function refuseSecretsInOtherRegion(
  rules: TypeRules,
  config: Config,
  stored: { config: Config; regions: readonly string[] },
  region: string,
  vault: Vault,
): void {
  const field = stored.regions.includes(region) ? null : firstKept(rules, config, stored.config, vault);
  if (field === null) return;
  const why = `was stored for the regions of the monitor and does not go to ${quoted(region)}`;
  refuse('invalid_request', `${field} ${why}; send the secret again.`, {
    field,
    reason: 'secret_other_region',
  });
}

/** The field of the first secret that a config keeps from the stored one; null if every one was sent again. */
function firstKept(rules: TypeRules, config: Config, stored: Config, vault: Vault): string | null {
  const kept = rules.secrets(config).find((path) => {
    const value = at(config, path);
    return typeof value === 'string' && vault.isSealed(value) && value === at(stored, path);
  });
  return kept ? fieldOf(kept) : null;
}

function openValue(vault: Vault, value: string, monitorId: string, path: string[], destination: string) {
  // Without either it throws, and says why.
  return (
    openedOrNull(vault, value, monitorId, path, destination) ??
    vault.open(value, unboundContext(monitorId, path))
  );
}

function openedOrNull(
  ...[vault, value, monitorId, path, destination]: Parameters<typeof openValue>
): string | null {
  return (
    opened(vault, value, contextOf(monitorId, path, destination)) ??
    opened(vault, value, unboundContext(monitorId, path))
  );
}

/** null if it was sealed for another context, or under another key. */
function opened(vault: Vault, value: string, context: string): string | null {
  try {
    return vault.open(value, context);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

/**
 * Puts the stored value back where the mask was sent. Refuses a mask without a stored value, clear text that looks sealed (it
 * would be taken for our own and could not be opened), and a change that would make a stored secret readable.
 */
export function restoreMasked(rules: TypeRules, config: Config, stored: Config | null, vault: Vault): Config {
  const sealed = new Map<string, unknown>();
  const secret = new Set(rules.secrets(config).map(fieldOf));
  for (const path of stored ? rules.secrets(stored) : []) {
    const field = fieldOf(path);
    const kept = at(stored, path);
    sealed.set(field, kept);
    if (!secret.has(field) && typeof kept === 'string' && at(config, path) === kept)
      refuse('invalid_request', `${field} was kept secret; send its value to make it readable.`, { field });
  }
  return change(rules, config, (value, path) => {
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

/**
 * Keeps the stored value of a secret that was sent again in clear, for the same destination. Sealed anew it would differ from the
 * stored one, and the monitor would start anew as with another target.
 */
export function keepSentAgain(
  rules: TypeRules,
  config: Config,
  stored: Config,
  monitorId: string,
  vault: Vault,
): Config {
  return change(rules, config, (value, path) => {
    const kept = at(stored, path);
    if (typeof kept !== 'string' || kept === value || !vault.isSealed(kept)) return value;
    const destination = destinationOf(rules, stored);
    if (destinationOf(rules, config) !== destination) return value;
    return openedOrNull(vault, kept, monitorId, path, destination) === value ? kept : value;
  });
}
