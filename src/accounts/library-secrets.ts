// The sign-in library's secrets under SECRET_KEY and, while that is rotated, under those before it: it signs cookies and
// seals second factors under the first one, and opens what was sealed under any of them.
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { SecretUnreadable, type Vault } from '../platform/secrets.ts';

export type LibrarySecrets = {
  /** The version assumed for a seal without one: the oldest. */
  secret: string;
  /** The one in force first. */
  secrets: { version: number; value: string }[];
};

const PURPOSE = 'sessions';

export function librarySecrets(vault: Vault): LibrarySecrets {
  const values = [vault.derive(PURPOSE), ...vault.deriveEarlier(PURPOSE)].map((key) =>
    key.toString('base64'),
  );
  const secrets = vault.keyIds.map((id, index) => ({ version: versionOf(id), value: values[index] ?? '' }));
  return { secret: values.at(-1) ?? '', secrets };
}

/** Reseals one of the library's values under the key in force; null if it already is. Throws SecretUnreadable. */
export async function resealForLibrary(
  sealed: string,
  vault: Vault,
  context: string,
): Promise<string | null> {
  const { secret, secrets } = librarySecrets(vault);
  const currentVersion = versionOf(vault.keyIds[0]);
  if (parseEnvelope(sealed)?.version === currentVersion) return null;
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion };
  const data = await symmetricDecrypt({ key: { ...key, legacySecret: secret }, data: sealed }).catch(() => {
    throw new SecretUnreadable(context);
  });
  return symmetricEncrypt({ key, data });
}

/** The library numbers its secrets. */
const versionOf = (keyId: string) => Number.parseInt(keyId.slice(0, 8), 16);
