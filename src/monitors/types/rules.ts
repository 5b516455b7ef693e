// The rules of one monitor type: its schema with defaults, its secrets, and the checks that a schema cannot state.
import type { TObject } from 'typebox';
import type { InvalidTargetReason } from '#src/domain/names.ts';
import { networkAccess } from '#src/domain/network-policy.ts';
import { checkHost, checkPort, checkUrl, targetSentence } from '#src/domain/target.ts';
import { validate } from '#src/platform/http/validate.ts';
import { refuse } from '#src/platform/refusals.ts';
import { SECRET_MASK } from './parts.ts';

export type TypeRules<Config = Record<string, unknown>> = {
  type: string;
  /** The complete config, with the default of every optional field. */
  schema: TObject;
  /** Paths inside the config whose values are sealed at rest and masked when read. */
  secrets: (config: Partial<Config>) => string[][];
  /**
   * Where these secrets are sent, and how safely; the config has not been validated. A stored secret goes only to its own
   * destination: a write that changes the destination must send it again. Every type with secrets states it.
   */
  destination?: (config: Readonly<Record<string, unknown>>) => string;
  /** Runs before the schema, so that a missing target gets its own reason. The config has not been validated. */
  checkTarget: (config: Record<string, unknown>, context: TargetChecks) => void;
  /** Runs after the schema, and refuses what it cannot. */
  check: (config: Config, context: TargetChecks) => void;
  /** The minimum interval of the type, which is then its default, too. */
  leastIntervalSeconds?: number;
};

export type TargetChecks = {
  url: (value: unknown, field: string, schemes: string[]) => void;
  /** `isConnectedTo: false`: nothing connects to the host, so the network policy does not judge it. */
  host: (value: unknown, field: string, how?: { isConnectedTo: boolean }) => void;
  /** Refuses with `missing` and `port_range`; call it only if a port is needed or given. */
  port: (value: unknown, field: string) => void;
  isSecretMask: (value: unknown) => boolean;
};

export { SECRET_MASK };

/** Refuses a config that the type does not accept (`invalid_request`, `invalid_target`). `config` is complete. */
export function validateConfig(
  rules: TypeRules,
  config: Record<string, unknown>,
  context: TargetChecks,
): void {
  rules.checkTarget(config, context);
  validate(rules.schema, config, 'config');
  rules.check(config, context);
}

/** A client's text inside a sentence: in quotes, and truncated to 60 characters. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export function invalidConfig(field: string, what: string): never {
  refuse('invalid_request', `${field} ${what}.`, { field });
}

export function invalidTarget(
  field: string,
  reason: InvalidTargetReason,
  schemes: readonly string[] = [],
): never {
  refuse('invalid_target', targetSentence(field, reason, schemes), { field, reason });
}

/**
 * Target checks of a write: the reasons of the interface, and addresses that no region of the monitor may connect to
 * (`invalid_target` without a reason; docs/rules/monitor-types.md#targets). Names are judged when they are resolved, not here.
 */
export function targetChecks({
  allowSingleLabel,
  allowPrivate,
}: {
  allowSingleLabel: boolean;
  allowPrivate: boolean;
}): TargetChecks {
  const vet = (host: string, field: string): void => {
    const ip = host.replace(/^\[(.*)\]$/, '$1');
    if (!/^[0-9.]+$/.test(ip) && !ip.includes(':')) return;
    const judged = networkAccess(ip, { allowPrivate });
    if (!judged.allowed)
      refuse(
        'invalid_target',
        `${field} is an address that the network policy of its regions refuses (${judged.why}).`,
        { field },
      );
  };
  return {
    url(value, field, schemes) {
      const checked = checkUrl(value, { schemes, allowSingleLabel });
      if (!checked.ok) invalidTarget(field, checked.reason, schemes);
      vet(checked.url.hostname, field);
    },
    host(value, field, { isConnectedTo } = { isConnectedTo: true }) {
      const checked = checkHost(value, { allowSingleLabel });
      if (!checked.ok) invalidTarget(field, checked.reason);
      if (isConnectedTo) vet(checked.host, field);
    },
    port(value, field) {
      const checked = checkPort(value);
      if (!checked.ok) invalidTarget(field, checked.reason);
    },
    isSecretMask: (value) => value === SECRET_MASK,
  };
}
