// Keys that outlive a rotation of SECRET_KEY: derived from it at the first start, kept sealed since.
import { SecretUnreadable, type Vault } from './secrets.ts';
import type { Work } from './work.ts';

/** The seal's context for a lasting key. */
export const lastingKeyContext = (purpose: string) => `lasting key ${purpose}`;

/**
 * The key for a purpose, which every server and start agree on. `make` answers it from the derivation of SECRET_KEY, the
 * oldest there is. Where the stored one cannot be opened, SECRET_KEY being another one, it answers what that makes and
 * leaves the stored one alone: whoever gives the right SECRET_KEY again has it back.
 */
export async function lastingKey(
  { tx, now }: Work,
  vault: Vault,
  purpose: string,
  make: (derive: (purpose: string) => Buffer) => Buffer = (derive) => derive(purpose),
): Promise<Buffer> {
  const oldest = (of: string) => vault.deriveEarlier(of).at(-1) ?? vault.derive(of);
  const key_sealed = vault.seal(make(oldest).toString('base64'), lastingKeyContext(purpose));
  await tx
    .insertInto('lasting_keys')
    .values({ purpose, key_sealed, created_at: now })
    .onConflict((conflict) => conflict.column('purpose').doNothing())
    .execute();
  const stored = await tx
    .selectFrom('lasting_keys')
    .select('key_sealed')
    .where('purpose', '=', purpose)
    .executeTakeFirstOrThrow();
  try {
    return Buffer.from(vault.open(stored.key_sealed, lastingKeyContext(purpose)), 'base64');
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    return make(vault.derive);
  }
}
