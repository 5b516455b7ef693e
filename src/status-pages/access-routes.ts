import { passwordHash } from '../accounts/password-hashing.ts';
import { type Route, raw, write } from '../platform/http/route.ts';
import * as contract from './access-contract.ts';
import { readablePassword } from './readable-password.ts';
import { removeSharedPassword, setSharedPassword } from './shared-password.ts';

export const accessRoutes: Route[] = [
  // Hashing is slow, so it happens before the unit of work.
  raw(contract.setSharedPassword, async ({ params, body, work }) => {
    const hash = await passwordHash(body.password);
    await work((work) => setSharedPassword(work, params.id, { hash, rotated: false }));
  }),
  write(contract.removeSharedPassword, async ({ params }, work) => {
    await removeSharedPassword(work, params.id);
    return undefined;
  }),
  raw(contract.rotateSharedPassword, async ({ params, work }) => {
    const password = readablePassword();
    const hash = await passwordHash(password);
    await work((work) => setSharedPassword(work, params.id, { hash, rotated: true }));
    return { password };
  }),
];
