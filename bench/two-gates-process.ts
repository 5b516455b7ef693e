// One process, the same routes twice: behind the real authorizer, and behind one that admits everybody unchecked.

import { librarySecrets } from '../src/accounts/library-secrets.ts';
import { makeSignIn, sessionCookie } from '../src/accounts/sign-in.ts';
import { makeSlowDown } from '../src/accounts/slow-down.ts';
import { makeKnownAgents } from '../src/agents/credentials.ts';
import { monitorRoutes } from '../src/monitors/routes.ts';
import { makeFirstOwnerOf } from '../src/organizations/first-owner.ts';
import { openPool } from '../src/platform/db/pool.ts';
import { readsOf } from '../src/platform/db/replica/reads.ts';
import type { Authorizer } from '../src/platform/http/caller.ts';
import { makeKnownCallers } from '../src/platform/http/known-callers.ts';
import { mount } from '../src/platform/http/mount.ts';
import { makeHttpServer } from '../src/platform/http/server.ts';
import { createLog } from '../src/platform/log.ts';
import { openVault } from '../src/platform/secrets.ts';
import { makeAuthorizer } from '../src/server/authorize.ts';
import type { FromTwoGates, TwoGates } from './access.ts';

const say = (message: FromTwoGates) => void process.send?.(message);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: TwoGates) => {
  serve(order).then(say, (error: unknown) => {
    process.stderr.write(`two gates: ${String(error)}\n`);
    process.exit(1);
  });
});
say({ kind: 'ready' });

async function serve({ databaseUrl, secretKey }: TwoGates): Promise<FromTwoGates> {
  const log = createLog('silent');
  const { db } = openPool({ url: databaseUrl, log });
  const vault = openVault(secretKey);
  const clock = () => new Date();
  const baseUrl = 'http://127.0.0.1';
  const signIn = makeSignIn(db, log, {
    baseUrl,
    port: 0,
    secrets: librarySecrets(vault),
    signup: 'invite',
    mail: null,
    oidc: null,
    slowDown: makeSlowDown({ db, clock, log, key: vault.derive('bench'), enabled: false }),
    clock,
  });
  const open: Authorizer = {
    identify: async () => ({
      kind: 'user',
      userId: 'usr_bench',
      sessionId: 'ses_bench',
      name: 'Bench',
      email: 'bench@example.com',
      operator: false,
      authenticatedAt: clock(),
    }),
    locate: async () => ({ orgId: 'org_bench', projectId: null, monitorNo: null, monitorId: null }),
    roleOf: async () => 'owner',
    hasCapability: async () => true,
    tenantOf: async () => ({ id: 'org_bench', owner: null }),
    refuseStale: () => undefined,
    holdSession: async () => undefined,
    projectHolds: async () => true,
  };
  const listen = async (gate: Authorizer) => {
    const http = makeHttpServer({ log, baseUrl, trustProxy: 0 });
    mount(
      http,
      monitorRoutes({ vault, allowSingleLabel: false, baseUrl: 'http://127.0.0.1' }),
      gate,
      db,
      clock,
      {
        limits: null,
        known: makeKnownCallers(),
        sessionCookie: sessionCookie(baseUrl),
        log,
        reads: readsOf(db),
      },
    );
    return http.listen({ host: '127.0.0.1', port: 0 });
  };
  return {
    kind: 'serving',
    gatedUrl: await listen(
      makeAuthorizer({
        ...{ db, signIn, clock },
        firstOwnerOf: makeFirstOwnerOf(db),
        identifyAgent: makeKnownAgents().identify,
      }),
    ),
    openUrl: await listen(open),
  };
}
