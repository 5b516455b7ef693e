// `tocsin revoke-keys`: afterwards only people with a password get in.
import { OPERATOR, withInstallation } from '../open-installation.ts';
import { counted } from '../progress.ts';
import { type Revoked, revokeAllKeys } from '../revoke-keys.ts';

/** Returns the exit code. */
export async function run(): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    process.stdout.write(revokedWords(await revokeAllKeys(db, now, OPERATOR)));
    return 0;
  });
}

export const revokedWords = ({ keys, tokens }: Revoked): string =>
  `Revoked ${counted(keys, 'API key')} and ${counted(tokens, 'probe token')}. Probes elsewhere need new tokens (tocsin region ` +
  'token SLUG); the bundled one gets its own at the next start of the server.\n';
