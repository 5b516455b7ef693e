// An account for an unproven address, as it is created if no mail can be sent: its creator is signed in.
import { createUser } from '#src/accounts/create-user.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { PASSWORD, type TestApp } from './app.ts';
import type { Client } from './client.ts';
import { hashOnce } from './people.ts';

/** Creates the account with PASSWORD; `signsIn` (default) returns a client with a session. */
export async function squatAt(
  app: TestApp,
  email: string,
  { password = PASSWORD, signsIn = true } = {},
): Promise<Client> {
  const hash = await hashOnce(password);
  await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    createUser(work, { email, name: 'The Boss', passwordHash: hash, operator: false }),
  );
  const squatter = app.visitor();
  if (signsIn) await squatter.ok('POST', '/auth/sign-in/email', { email, password });
  return squatter;
}
