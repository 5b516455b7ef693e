// Accepting an invitation, across slices: who is there, the account, the membership and the session.
import { signInNew } from './accounts/auth-routes.ts';
import { refuseCommonPassword } from './accounts/common-passwords.ts';
import { createUser, passwordHash } from './accounts/create-user.ts';
import { identifyUser } from './accounts/identify.ts';
import type { SignIn } from './accounts/sign-in.ts';
import {
  hasAccount,
  joinBy,
  lookUp,
  type OpenInvitation,
  openInvitation,
  spendInvitation,
} from './organizations/accept-invitation.ts';
import { acceptInvitation, lookUpInvitation } from './organizations/member-contract.ts';
import { isBearer } from './platform/http/admit.ts';
import { type Call, type Route, raw, read } from './platform/http/mount.ts';
import { refuse } from './platform/refusals.ts';
import type { Work } from './platform/work.ts';

export type InviteeOptions = { signup: 'closed' | 'invite' | 'open' };

/** What somebody with an invitation in hand can do, signed in or not. */
export function inviteeRoutes(signIn: SignIn, options: InviteeOptions): Route[] {
  return [
    read(lookUpInvitation, ({ db, body, now }) => lookUp(db, body.token, now)),
    raw(acceptInvitation, async (call) => {
      if (isBearer(call.request.headers.authorization))
        refuse('key_not_accepted', 'An invitation is accepted by a person; API keys are not accepted here.');
      const invitation = await openInvitation(call.db, call.body.token, call.now);
      const caller = await identifyUser(signIn, call.db, call.request);
      if (caller?.kind !== 'user') return acceptAsNew(call, invitation, signIn, options);
      if (caller.email.toLowerCase() !== invitation.email)
        refuse(
          'forbidden',
          `The invitation is for ${invitation.email}, and you are signed in as ${caller.email}. Sign out, then open it again.`,
        );
      const { userId, name } = caller;
      return call.work(async (work) => {
        await spendInvitation(work, invitation);
        return joinBy(as(work, userId, name), invitation, userId);
      });
    }),
  ];
}

/** Creates the account that the invitation is for, joins, and signs in. */
async function acceptAsNew(
  call: Call<typeof acceptInvitation>,
  invitation: OpenInvitation,
  signIn: SignIn,
  { signup }: InviteeOptions,
) {
  const { email } = invitation;
  if (await hasAccount(call.db, email))
    refuse('unauthenticated', `${email} already has an account here. Sign in with it, then accept.`);
  if (signup === 'closed')
    refuse('forbidden', 'This installation creates no accounts. Ask its operator for one, then accept.');
  const { password } = call.body;
  const name = call.body.name?.trim() ?? '';
  if (name === '') refuse('invalid_request', 'name is required to create your account.', { field: 'name' });
  if (password == null)
    refuse('invalid_request', 'password is required to create your account.', { field: 'password' });
  await refuseCommonPassword(password);
  const hash = await passwordHash(password);
  const joined = await call.work(async (work) => {
    await spendInvitation(work, invitation);
    // Who has the link that went to the address has the address.
    const account = { email, name, passwordHash: hash, operator: false, emailVerified: invitation.mailed };
    const userId = await createUser(work, account);
    return joinBy(as(work, userId, name), invitation, userId);
  });
  await signInNew(signIn, call.request, call.reply, { email, password });
  return joined;
}

/** The unit of work in the name of a person: these operations are public, so the mount knows nobody. */
const as = (work: Work, id: string, name: string): Work => ({
  ...work,
  actor: { ...work.actor, kind: 'user', id, name },
});
