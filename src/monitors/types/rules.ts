// What every monitor type is to the rest of the slice: a schema, its defaults, its secrets, its own checks.
import type { TSchema } from 'typebox';
import type { InvalidTargetReason } from '#src/domain/names.ts';
import { verdict } from '#src/domain/network-policy.ts';
import { checkHost, checkPort, checkUrl, targetSentence } from '#src/domain/target.ts';
import { refuse } from '#src/platform/refusals.ts';
import { SECRET_MASK } from './parts.ts';

export type TypeRules<Config = Record<string, unknown>> = {
  type: string;
  /** The complete config, after defaults. */
  schema: TSchema;
  /** Fills in defaults; the input has passed no check yet. */
  complete: (given: Record<string, unknown>) => Record<string, unknown>;
  /** Paths inside the config whose values are sealed at rest and masked when read. */
  secrets: (config: Partial<Config>) => string[][];
  /**
   * Where these secrets travel and how safely, of a config that has passed no check yet: a stored one goes to the
   * destination it was given for, and is asked for again when that changes. Every kind with secrets has it.
   */
  destination?: (config: Readonly<Record<string, unknown>>) => string;
  /** Judges the target before the schema does, so that a missing one gets its reason. The config has passed no check yet. */
  checkTarget: (config: Record<string, unknown>, context: TargetChecks) => void;
  /** What the schema cannot say; refuses with the interface's codes. */
  check: (config: Config, context: TargetChecks) => void;
  /** Where one is given, intervals below it are refused, and it is the default. */
  leastIntervalSeconds?: number;
};

export type TargetChecks = {
  url: (value: unknown, field: string, schemes: string[]) => void;
  /** `isConnectedTo: false`: it is only named, so the network policy has no say. */
  host: (value: unknown, field: string, how?: { isConnectedTo: boolean }) => void;
  /** `missing` and `port_range`; call it only where a port is needed or given. */
  port: (value: unknown, field: string) => void;
  isSecretMask: (value: unknown) => boolean;
};

export { SECRET_MASK };

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
 * Target checks of a write: the interface's reasons, and addresses that no region of the monitor may connect to
 * (`invalid_target` without a reason; docs/rules/monitor-types.md#targets). Names are judged when they resolve, not here.
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
    const judged = verdict(ip, { allowPrivate });
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
