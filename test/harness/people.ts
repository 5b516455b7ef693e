// People for tests that are not about signing in: the admin of the first start, and the row and the signed cookie of a sign-in.
// Hashing and checking a password each time would be most of the work of many tests. A test that needs the rest of a sign-in, a
// row of activity and a known address, signs in (client.ts).
import { randomBytes } from 'node:crypto';
import { serializeSignedCookie } from 'better-call';
import { passwordHash } from '#src/accounts/create-user.ts';
import { librarySecrets } from '#src/accounts/library-secrets.ts';
import { IDLE_SECONDS } from '#src/accounts/session-limits.ts';
import { sessionCookie } from '#src/accounts/sign-in.ts';
import type { Config } from '#src/config/config.ts';
import { makePartition } from '#src/platform/db/partitions.ts';
import { newId } from '#src/platform/ids.ts';
import type { Vault } from '#src/platform/secrets.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { PARTITIONED } from '#src/retention.ts';
import { createAdmin } from '#src/server/setup.ts';

const hashes = new Map<string, Promise<string>>();

/** The hash of a password, computed once per process. */
export function hashOnce(password: string): Promise<string> {
  const hash = hashes.get(password) ?? passwordHash(password);
  hashes.set(password, hash);
  return hash;
}

/** The effect of ADMIN_* on the first start. */
export async function prepareAdmin(db: Database, now: Date, config: Config): Promise<void> {
  const { admin } = config;
  if (!admin) return;
  const activity = PARTITIONED.find(({ table }) => table === 'activity');
  if (activity) await makePartition(db, activity, now);
  const hash = await hashOnce(admin.password);
  const options = { plan: config.defaultPlan, perUser: config.organizationsPerUser };
  await runWork(db, now, SYSTEM, (work) => createAdmin(work, admin, hash, options));
}

/** Opens a session as the sign-in library does, by the clock of the machine; returns its cookie. */
export async function openSession(
  db: Database,
  vault: Vault,
  baseUrl: string,
  userId: string,
): Promise<[name: string, value: string]> {
  const token = randomBytes(24).toString('base64url');
  const now = new Date();
  await db
    .insertInto('sessions')
    .values({
      id: newId('ses'),
      user_id: userId,
      token,
      expires_at: new Date(now.getTime() + IDLE_SECONDS * 1000),
      ip_address: '127.0.0.1',
      user_agent: 'node',
      created_at: now,
      updated_at: now,
    })
    .execute();
  const name = sessionCookie(baseUrl);
  const [inForce] = librarySecrets(vault).secrets;
  const cookie = await serializeSignedCookie(name, token, inForce?.value ?? '');
  return [name, cookie.slice(name.length + 1)];
}
