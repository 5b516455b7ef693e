import type { User } from '../platform/http/caller.ts';
import { type Call, type Route, raw, read, write } from '../platform/http/route.ts';
import { refuse } from '../platform/refusals.ts';
import { passCookies, requestOf } from './auth-routes.ts';
import { type Confirming, confirm } from './confirm-sign-up.ts';
import * as contract from './contract.ts';
import { confirmPassword, deleteMe } from './delete-me.ts';
import { readFirstProof } from './first-proof-read.ts';
import { getMe, updateMe } from './me.ts';
import { noteAuthentication, reauthenticate } from './reauthenticate.ts';
import type { SignIn } from './sign-in.ts';

/** Routes of a signed-in person's own account, beside those of the sign-in library. */
export function accountRoutes(options: Confirming & { signIn: SignIn }): Route[] {
  const { signIn, slowDown } = options;
  return [
    raw(contract.confirmSignUp, (call) => confirm(call, signIn, options)),
    read(contract.getMe, ({ db, caller }) => getMe(db, personOf(caller).userId)),
    write(contract.updateMe, ({ caller, body }, work) => updateMe(work, personOf(caller).userId, body)),
    write(contract.readFirstProof, async ({ caller }, work) => {
      await readFirstProof(work, personOf(caller).userId);
      return undefined;
    }),
    raw(contract.reauthenticate, async ({ caller, body, request, work }) => {
      const { sessionId, userId, email } = personOf(caller);
      await reauthenticate({ signIn, request }, { userId, email }, body);
      await work((unit) => noteAuthentication(unit, { sessionId, userId }));
    }),
    raw(contract.deleteMe, async ({ db, caller, body, request, reply, work, demandFresh }) => {
      const { userId, email } = personOf(caller);
      const given = { password: body.password ?? null, address: request.ip };
      if (!(await confirmPassword(db, slowDown, { id: userId, email }, given))) demandFresh();
      await work((unit) => deleteMe(unit, userId));
      await slowDown.forget(email);
      // The session went with its person; this takes its cookies from the browser.
      passCookies(await signIn.handler(requestOf(signIn, request, '/auth/sign-out', {})), reply);
    }),
  ];
}

/** People only: these operations take no keys. */
function personOf(caller: Call<unknown>['caller']): User {
  return caller?.kind === 'user' ? caller : refuse('forbidden', 'Only people have an account.');
}
