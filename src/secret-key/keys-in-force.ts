// Which SECRET_KEY the servers on a database have in force: each says it in the name of its listening connection.
import { sql } from 'kysely';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';

const PREFIX = 'tocsin listen ';

/** The name of a server's listening connection. */
export const listenerName = (vault: Vault): string => PREFIX + vault.keyIds[0];

/** How many servers run with another key in force than this vault's: they may not be able to open what it seals. */
export async function serversWithAnotherKey(db: Database, vault: Vault): Promise<number> {
  const { rows } = await sql<{ others: number }>`
    SELECT count(*)::int AS others FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE ${`${PREFIX}%`}
      AND application_name <> ${listenerName(vault)}`.execute(db);
  return rows[0]?.others ?? 0;
}
