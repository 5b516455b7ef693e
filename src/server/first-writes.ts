// What every start writes before anything is served: what a first start makes, and what another configuration or version of
// Tocsin left to be put right.
import { passwordHash } from '../accounts/create-user.ts';
import { hasUsers, makeSetupToken } from '../accounts/first-start.ts';
import type { Config } from '../config/config.ts';
import { followConfiguredBases } from '../notifications/targets/paging-bases.ts';
import { lastingKey } from '../platform/lasting-key.ts';
import { makePushKey } from '../platform/push/vapid.ts';
import { runWork, SYSTEM } from '../platform/work.ts';
import { prepareLocalRegion } from '../regions/create.ts';
import { sealWhatIsClear } from '../secret-key/seal-at-start.ts';
import type { Runtime } from './runtime.ts';
import { createAdmin } from './setup.ts';
import { operatorAddresses } from './webhook-addresses.ts';

/**
 * Writes it in one unit of work, and reads the keys that all servers share. `bundled` is null if this server does not serve the
 * region "local", `setupToken` once there is a user, or if nobody can set up here. The targets follow who sends to them.
 */
export async function makeFirstWrites(
  config: Config,
  { database: { db }, vault, reportProgress }: Runtime,
  now: Date,
) {
  const { admin, localProbe, roles, allowPrivateTargets: fixed, signup } = config;
  const { secretKey, earlierSecretKeys } = config;
  // Only for a first start: a hash takes its time.
  const adminHash = admin && !(await hasUsers(db)) ? await passwordHash(admin.password) : null;
  return runWork(db, now, SYSTEM, async (work) => {
    const privateTargets = { fixed, usual: signup !== 'open' };
    const keys = { secretKey, earlierKeys: earlierSecretKeys };
    const bundled = localProbe ? await prepareLocalRegion(work, { privateTargets, ...keys }) : null;
    if (admin && adminHash)
      await createAdmin(work, admin, adminHash, {
        plan: config.defaultPlan,
        perUser: config.organizationsPerUser,
      });
    if (roles.includes('jobs')) await followConfiguredBases(work, operatorAddresses(config));
    await sealWhatIsClear(work, vault, reportProgress);
    return {
      bundled,
      setupToken: roles.includes('api') ? await makeSetupToken(work) : null,
      pushKey: await lastingKey(work, vault, 'web push key', makePushKey),
      accountsKey: await lastingKey(work, vault, 'who tried to sign in'),
      pagesKey: await lastingKey(work, vault, 'visitors of status pages'),
    };
  });
}
