// Sets up a new installation, across slices: the first user with an organization and a project, the local region.

import { signInNew } from '../accounts/auth-routes.ts';
import { refuseCommonPassword } from '../accounts/common-passwords.ts';
import { completeSetup, getInstallation, type Installation } from '../accounts/contract.ts';
import { createUser, passwordHash } from '../accounts/create-user.ts';
import {
  hasUsers,
  isSetupToken,
  lockInstallation,
  refuseSetup,
  spendSetupToken,
} from '../accounts/first-start.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import { type CreateOptions, createOrganization } from '../organizations/create.ts';
import { type Route, raw, read } from '../platform/http/route.ts';
import type { Work } from '../platform/work.ts';
import { createProject } from '../projects/create.ts';

export type Admin = { email: string; password: string; organization: string };

/** Creates the admin of ADMIN_EMAIL, an organization and the project "Default" when there are no users yet. */
export async function createAdmin(
  work: Work,
  admin: Admin,
  hash: string,
  options: CreateOptions,
): Promise<boolean> {
  await lockInstallation(work.tx);
  if (await hasUsers(work.tx)) return false;
  const userId = await createUser(work, {
    email: admin.email,
    name: 'Admin',
    passwordHash: hash,
    operator: true,
    // The person who sets the installation up vouches for the address.
    emailVerified: true,
  });
  await createFirstOrganization(work, userId, admin.organization, options);
  return true;
}

async function createFirstOrganization(work: Work, userId: string, name: string, options: CreateOptions) {
  const organization = await createOrganization(work, userId, name, options);
  const project = await createProject(work, organization.id, 'Default');
  return { organization_id: organization.id, project_id: project.id };
}

/** The public facts for a signed-out visitor, and the form behind the one-time link. */
export function setupRoutes(
  signIn: SignIn,
  installation: Omit<Installation, 'setup_needed'>,
  options: CreateOptions,
): Route[] {
  return [
    read(getInstallation, async ({ db }) => ({
      setup_needed: !(await db.selectFrom('users').select('id').limit(1).executeTakeFirst()),
      ...installation,
    })),
    raw(completeSetup, async (call) => {
      const { token, email, password, name, organization } = call.body;
      if (!(await isSetupToken(call.db, token))) refuseSetup();
      await refuseCommonPassword(password);
      const hash = await passwordHash(password);
      const made = await call.work(async (work) => {
        const userId = await spendSetupToken(work, token, { email, name: name.trim(), passwordHash: hash });
        return createFirstOrganization(
          { ...work, actor: { ...work.actor, kind: 'user', id: userId, name } },
          userId,
          organization,
          options,
        );
      });
      const account = { email: email.trim().toLowerCase(), password };
      await signInNew(signIn, call.request, call.reply, account);
      return made;
    }),
  ];
}
