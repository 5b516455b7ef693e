// Which fields of a monitor a write would change, without writing.
import { isDeepStrictEqual } from 'node:util';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import type { Tx } from '../platform/work.ts';
import { type Candidate, candidateOf, storedOf } from './candidate.ts';
import type { MonitorUpdate } from './contract.ts';
import { completeConfig, type MonitorRow } from './row.ts';
import { openConfig, openStored } from './sealing.ts';
import { rulesOf } from './types.ts';
import type { MonitorOptions } from './validate.ts';

/** Lists whose order means nothing. */
const SETS = new Set(['regions', 'depends_on', 'tags', 'config.members']);

/**
 * The names of the fields that `updateMonitor` with this body, as declared, would change, as the interface calls them
 * (`config.url`). Secrets are compared in clear, and a default that is given is no change. Refuses a body that says what no
 * monitor can have, as far as it is looked at.
 */
export async function changedFields(
  tx: Tx,
  row: MonitorRow,
  body: MonitorUpdate,
  { vault }: MonitorOptions,
): Promise<string[]> {
  const stored = storedOf(row);
  const candidate = await candidateOf(tx, stored, body, stored, vault);
  if (candidate.type !== stored.type) return ['type', 'config'];
  const rules = rulesOf(stored.type);
  const opened = openStored(rules, candidate.config, stored.config, stored.id, vault);
  const explicit = new Set([...Object.keys(candidate.config), ...Object.keys(stored.config)]);
  const complete = (config: Fields, { intervalSeconds }: Candidate) =>
    Object.entries(completeConfig(rules, config, intervalSeconds)).filter(([field]) => explicit.has(field));
  const before = complete(openedBefore(stored, vault), stored);
  const after = complete(opened, candidate);
  return differing(
    { ...fieldsOf(stored), ...prefixed('config', before), enabled: row.enabled },
    { ...fieldsOf(candidate), ...prefixed('config', after), enabled: body.enabled ?? row.enabled },
  );
}

type Fields = Record<string, unknown>;

function fieldsOf({
  intervalSeconds,
  regions,
  policy,
  alarmGate,
  dependsOn,
  severity,
  tags,
}: Candidate): Fields {
  return {
    interval_seconds: intervalSeconds,
    regions,
    ...prefixed('policy', Object.entries(policy)),
    alarm_gate: alarmGate,
    depends_on: dependsOn,
    severity,
    tags,
  };
}

function openedBefore({ id, type, config }: Candidate, vault: Vault): Fields {
  try {
    return openConfig(rulesOf(type), config, id, vault);
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    // Sealed with a key that is lost: whatever the body has in its place is new.
    return config;
  }
}

const prefixed = (name: string, fields: readonly [string, unknown][]): Fields =>
  Object.fromEntries(fields.map(([key, value]) => [`${name}.${key}`, value]));

/** The names of fields that differ; one that is null or absent in both is the same in both. */
function differing(before: Fields, after: Fields): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    const [left, right] = [before[name] ?? null, after[name] ?? null];
    return SETS.has(name) && Array.isArray(left) && Array.isArray(right)
      ? !isDeepStrictEqual([...left].sort(), [...right].sort())
      : !isDeepStrictEqual(left, right);
  });
}
