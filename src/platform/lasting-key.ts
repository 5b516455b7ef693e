// Keys that outlive a rotation of SECRET_KEY: derived from it at the first start, and stored sealed since.
import { SecretUnreadable, type Vault } from './secrets.ts';
import type { Work } from './work.ts';

/** The seal's context for a lasting key. */
export const lastingKeyContext = (purpose: string) => `lasting key ${purpose}`;

/**
 * The key for a purpose, which every server and every start agree on. `make` derives it from SECRET_KEY, from the oldest one
 * there is. If the stored key cannot be opened because SECRET_KEY is another one, the result is derived from that and the
 * stored key stays: an operator who restores the right SECRET_KEY has it back.
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
