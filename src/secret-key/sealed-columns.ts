// Every column that holds something sealed under SECRET_KEY, and how a value of it is sealed again when that is rotated.
// A test looks for seals everywhere else.
import { resealForLibrary } from '../accounts/library-secrets.ts';
import { capsuleContext } from '../capsules/hand-out.ts';
import { responseContext } from '../checks/responses.ts';
import { heartbeatContext } from '../monitors/heartbeats.ts';
import { resealConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import { secretContext } from '../notifications/delivery/send.ts';
import type { DB } from '../platform/db/tables.ts';
import { lastingKeyContext } from '../platform/lasting-key.ts';
import type { Vault } from '../platform/secrets.ts';
import { testContext } from '../probe-protocol/check-now.ts';

export type SealedRow = { id: string; value: unknown; type: string };

export type SealedColumn = {
  table: keyof DB;
  column: string;
  /** The text column that names a row. */
  id: string;
  /** What a text with a seal in it holds somewhere, as LIKE takes it: rows without it are not looked at. */
  mark: string;
  /** A column that says how to read the value, where that differs by row. */
  type?: string;
  /**
   * The value sealed under the key in force; null where it is already. Throws SecretUnreadable where it was sealed under
   * none of the vault's keys.
   */
  reseal: (row: SealedRow, vault: Vault) => unknown | null | Promise<unknown | null>;
};

export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'monitors',
    column: 'config',
    id: 'id',
    mark: '%"sealed:%',
    type: 'type',
    reseal({ id, value, type }, vault) {
      const resealed = resealConfig(rulesOf(type), value as Record<string, unknown>, id, vault);
      return resealed && JSON.stringify(resealed);
    },
  },
  {
    table: 'webhook_targets',
    column: 'secret_sealed',
    id: 'id',
    mark: 'sealed:%',
    reseal: ({ id, value }, vault) => resealText(value, vault, secretContext(id)),
  },
  {
    table: 'heartbeats',
    column: 'token_sealed',
    id: 'token_hash',
    mark: 'sealed:%',
    reseal: ({ id, value }, vault) => resealText(value, vault, heartbeatContext(id)),
  },
  {
    table: 'test_runs',
    column: 'config_sealed',
    id: 'id',
    mark: 'sealed:%',
    reseal: ({ id, value }, vault) => resealText(value, vault, testContext(id)),
  },
  {
    table: 'check_responses',
    column: 'response_sealed',
    id: 'check_id',
    mark: 'sealed:%',
    reseal: ({ id, value }, vault) => resealText(value, vault, responseContext(id)),
  },
  {
    table: 'incident_capsules',
    column: 'capsule_sealed',
    id: 'capsule_id',
    mark: 'sealed:%',
    reseal: ({ id, value }, vault) => resealText(value, vault, capsuleContext(id)),
  },
  {
    table: 'lasting_keys',
    column: 'key_sealed',
    id: 'purpose',
    mark: 'sealed:%',
    reseal: ({ id, value }, vault) => resealText(value, vault, lastingKeyContext(id)),
  },
  ...(['secret', 'backup_codes'] as const).map(
    (column): SealedColumn => ({
      table: 'two_factors',
      column,
      id: 'id',
      mark: '%',
      reseal: ({ id, value }, vault) =>
        resealForLibrary(String(value), vault, `second factor ${id} ${column}`),
    }),
  ),
];

/** For columns whose whole value is one seal. */
function resealText(value: unknown, vault: Vault, context: string): string | null {
  const sealed = String(value);
  return vault.isCurrent(sealed) ? null : vault.seal(vault.open(sealed, context), context);
}
