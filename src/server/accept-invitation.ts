// Accepting an invitation, across slices: who is there, the account, the membership and the session.
import { signInNew } from '../accounts/auth-routes.ts';
import { claimAccount, hasAccount } from '../accounts/claim-account.ts';
import { refuseCommonPassword } from '../accounts/common-passwords.ts';
import { passwordHash } from '../accounts/create-user.ts';
import { type MailOwnerOptions, mailOwner } from '../accounts/first-proof-mail.ts';
import { identifyUser } from '../accounts/identify.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { SlowDown } from '../accounts/slow-down.ts';
import {
  joinBy,
  lookUp,
  type OpenInvitation,
  openInvitation,
  spendInvitation,
} from '../members/accept-invitation.ts';
import { acceptInvitation, lookUpInvitation } from '../members/contract.ts';
import { isBearer } from '../platform/http/authorize.ts';
import { type Call, type Route, raw, read } from '../platform/http/route.ts';
import { refuse } from '../platform/refusals.ts';
import type { Work } from '../platform/work.ts';

export type AcceptInvitationOptions = Omit<MailOwnerOptions, 'db'> & {
  signup: 'closed' | 'invite' | 'open';
  slowDown: SlowDown;
};

/** The operations for the holder of an invitation, signed in or not. */
export function acceptInvitationRoutes(signIn: SignIn, options: AcceptInvitationOptions): Route[] {
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
      // The mailed link proves the address. The session does not: the signed-in person may not own it.
      if (!(await hasAccount(call.db, invitation.email, invitation.mailed)))
        return acceptAsNew(call, invitation, signIn, options);
      const { userId, name } = caller;
      return call.work(async (work) => {
        await spendInvitation(work, invitation);
        return joinBy(as(work, userId, name), invitation, userId);
      });
    }),
  ];
}

/** Creates the account that the invitation is for, or claims an unproven one, joins, and signs in. */
async function acceptAsNew(
  call: Call<typeof acceptInvitation>,
  invitation: OpenInvitation,
  signIn: SignIn,
  options: AcceptInvitationOptions,
) {
  const { email } = invitation;
  const { slowDown, ...mailing } = options;
  if (await hasAccount(call.db, email, invitation.mailed))
    refuse('unauthenticated', `${email} already has an account here. Sign in with it, then accept.`);
  if (options.signup === 'closed' && !(await hasAccount(call.db, email, false)))
    refuse('forbidden', 'This installation creates no accounts. Ask its operator for one, then accept.');
  const { password } = call.body;
  const name = call.body.name?.trim() ?? '';
  if (name === '') refuse('invalid_request', 'name is required to create your account.', { field: 'name' });
  if (password == null)
    refuse('invalid_request', 'password is required to create your account.', { field: 'password' });
  await refuseCommonPassword(password);
  const hash = await passwordHash(password);
  const { joined, proof } = await call.work(async (work) => {
    await spendInvitation(work, invitation);
    // The mailed link proves the address; a link that was shown to the inviter proves nothing.
    const account = { email, name, passwordHash: hash, operator: false, emailVerified: invitation.mailed };
    const { userId, proof } = await claimAccount(work, account);
    return { joined: await joinBy(as(work, userId, name), invitation, userId), proof };
  });
  if (proof) await slowDown.forget(email);
  void mailOwner({ db: call.db, ...mailing }, proof);
  await signInNew(signIn, call.request, call.reply, { email, password });
  return joined;
}

/** A unit of work in the name of a person. These operations are public, so the mount has no caller. */
const as = (work: Work, id: string, name: string): Work => ({
  ...work,
  actor: { ...work.actor, kind: 'user', id, name },
});
