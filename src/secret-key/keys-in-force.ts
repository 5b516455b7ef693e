// The SECRET_KEY in force on each server of a database.
import { knownServers } from '../platform/db/servers.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';

/** How many servers run with another key in force than this vault's: they may not be able to open what it seals. */
export async function serversWithAnotherKey(db: Database, vault: Vault): Promise<number> {
  const servers = await knownServers(db);
  return servers.filter(({ keyId }) => keyId !== vault.keyIds[0]).length;
}
