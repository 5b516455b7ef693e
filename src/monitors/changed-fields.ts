// Which fields of a monitor a write would change, without writing.
import { isDeepStrictEqual } from 'node:util';
import { SecretUnreadable } from '../platform/secrets.ts';
import type { Tx } from '../platform/work.ts';
import { type Candidate, candidateOf } from './candidate.ts';
import type { MonitorUpdate } from './contract.ts';
import { type MonitorRow, type ShownAt, showMonitor } from './row.ts';
import { openConfig, openStored } from './sealing.ts';
import { rulesOf } from './types.ts';
import { storedOf, withoutSentBack } from './update.ts';
import type { MonitorOptions } from './validate.ts';

/** Lists whose order means nothing. */
const SETS = new Set(['regions', 'depends_on', 'tags', 'config.members']);

/**
 * The names of the fields that `updateMonitor` with this body would change, as the interface calls them (`config.url`);
 * secrets are compared in clear. Refuses a body that says what no monitor can have, as far as it is looked at.
 */
export async function changedFields(
  tx: Tx,
  row: MonitorRow,
  body: MonitorUpdate,
  options: MonitorOptions & ShownAt,
): Promise<string[]> {
  const stored = storedOf(row);
  const given = withoutSentBack(body, row, showMonitor(row, options, { mayWrite: true }));
  const candidate = await candidateOf(tx, stored, given, stored, options.vault);
  const before = { ...fieldsOf(stored), ...openedBefore(stored, options), enabled: row.enabled };
  const after = {
    ...fieldsOf(candidate),
    ...openedAfter(candidate, stored, options),
    enabled: body.enabled ?? row.enabled,
  };
  return differing(before, after);
}

type Fields = Record<string, unknown>;

function fieldsOf({
  type,
  intervalSeconds,
  regions,
  policy,
  alarmGate,
  dependsOn,
  severity,
  tags,
}: Candidate): Fields {
  return {
    type,
    interval_seconds: intervalSeconds,
    regions,
    ...prefixed('policy', policy),
    alarm_gate: alarmGate,
    depends_on: dependsOn,
    severity,
    tags,
  };
}

function openedBefore({ id, type, config }: Candidate, { vault }: MonitorOptions): Fields {
  try {
    return prefixed('config', openConfig(rulesOf(type), config, id, vault));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    // Sealed with a key that is lost: whatever the body has in its place is new.
    return prefixed('config', config);
  }
}

function openedAfter(after: Candidate, before: Candidate, { vault }: MonitorOptions): Fields {
  if (after.type !== before.type) return prefixed('config', after.config);
  return prefixed('config', openStored(rulesOf(after.type), after.config, before.config, after.id, vault));
}

const prefixed = (name: string, fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${name}.${key}`, value]));

/** The names of fields that differ; one that is null or absent in both is the same in both. */
function differing(before: Fields, after: Fields): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => {
    const [left, right] = [before[name] ?? null, after[name] ?? null];
    return SETS.has(name) && Array.isArray(left) && Array.isArray(right)
      ? !isDeepStrictEqual([...left].sort(), [...right].sort())
      : !isDeepStrictEqual(left, right);
  });
}
