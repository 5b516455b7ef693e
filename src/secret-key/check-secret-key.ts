// Whether SECRET_KEY is the one that an installation's stored secrets are sealed under.
import { sql } from 'kysely';
import { openConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import { secretContext } from '../notifications/delivery/send.ts';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';

/** How many of the newest secrets are tried: after a lost key, some are sealed under each key for a while. */
const MAX_TRIED = 50;

/**
 * Throws a sentence for the operator if there are stored secrets and none of the newest opens. With the wrong key, a backup
 * would name that key and could not be restored with the right one, and the server could not read imported secrets.
 */
export async function checkSecretKey(db: Database, vault: Vault): Promise<void> {
  if (await fits(db, vault)) return;
  throw new Error(
    'SECRET_KEY is not the one of this installation: none of its stored secrets opens with it. Set the one that its ' +
      'server runs with; with the bundled database it is the file secret-key in DATA_DIR unless SECRET_KEY is given.',
  );
}

/** What a server that has started with another key says; null: it has the right one, or there are no secrets. */
export async function strangeKey(db: Database, vault: Vault): Promise<string | null> {
  if (await fits(db, vault)) return null;
  return (
    'none of the stored secrets opens with SECRET_KEY: what needs one fails. If the file secret-key was missing from DATA_DIR, or ' +
    'SECRET_KEY was not given this time, a new key was made. Stop the server, put the former key back as it was, the present ' +
    'one into SECRET_KEY_PREVIOUS (or into secret-key.previous beside the file), and start again; only without the former one ' +
    'the secrets have to be entered anew'
  );
}

async function fits(db: Database, vault: Vault): Promise<boolean> {
  const tries = [...(await targetSecrets(db, vault)), ...(await monitorSecrets(db, vault))];
  return tries.length === 0 || tries.some(opens);
}

async function targetSecrets(db: Database, vault: Vault): Promise<(() => unknown)[]> {
  const rows = await db
    .selectFrom('webhook_targets')
    .select(['id', 'secret_sealed'])
    .where('secret_sealed', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(MAX_TRIED)
    .execute();
  return rows.map(
    ({ id, secret_sealed }) =>
      () =>
        vault.open(secret_sealed ?? '', secretContext(id)),
  );
}

async function monitorSecrets(db: Database, vault: Vault): Promise<(() => unknown)[]> {
  const { rows } = await sql<{ id: string; type: string; config: Record<string, unknown> }>`
    SELECT id, type, config FROM monitors WHERE config::text LIKE '%"sealed:%'
    ORDER BY created_at DESC LIMIT ${MAX_TRIED}`.execute(db);
  return rows.map(
    ({ id, type, config }) =>
      () =>
        openConfig(rulesOf(type), config, id, vault),
  );
}

function opens(open: () => unknown): boolean {
  try {
    open();
    return true;
  } catch (error) {
    if (error instanceof SecretUnreadable) return false;
    throw error;
  }
}
