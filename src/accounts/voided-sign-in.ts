import type { createAuthMiddleware } from 'better-auth/api';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Undoes what was begun through a way in that the first proof of the address has since voided (first-proof.ts): a session
 * by a removed password or passkey, or a passkey added by an ended session. The library reads, computes and writes without
 * a lock, so rapid requests could otherwise slip in behind the proof.
 */
export async function refuseVoidedSignIn(
  db: Database,
  ctx: Context,
  sessionId: string | null,
): Promise<void> {
  const session = ctx.context.newSession;
  if (session && sessionId === null && (await isVoid(db, ctx, session.user))) {
    await ctx.context.internalAdapter.deleteSession(session.session.token);
    tooLate();
  }
  if (ctx.path !== '/passkey/verify-registration' || sessionId === null) return;
  const still = await db.selectFrom('sessions').select('id').where('id', '=', sessionId).executeTakeFirst();
  const { id } = (ctx.context.returned ?? {}) as { id?: unknown };
  if (still || typeof id !== 'string') return;
  await db.deleteFrom('passkeys').where('id', '=', id).execute();
  tooLate();
}

/** The library's own picture of the user is from before it looked at the password; of a passkey, the key must be there. */
async function isVoid(
  db: Database,
  ctx: Context,
  user: { id: string; emailVerified?: boolean },
): Promise<boolean> {
  if (ctx.path === '/passkey/verify-authentication') {
    const used = (ctx.body as { response?: { id?: unknown } }).response?.id;
    const key = await db
      .selectFrom('passkeys')
      .select('id')
      .where('credential_id', '=', String(used))
      .executeTakeFirst();
    return key === undefined;
  }
  if (user.emailVerified !== false) return false;
  const now = await db
    .selectFrom('users')
    .select('email_verified')
    .where('id', '=', user.id)
    .executeTakeFirst();
  return now?.email_verified !== false;
}

function tooLate(): never {
  refuse('unauthenticated', 'This way in was voided just now. Sign in again.', { reason: 'voided' });
}
