import { personOf } from '../platform/http/actor.ts';
import { type Route, read, write } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { hideFirstSteps, readFirstSteps } from './read.ts';

/** `mail`: whether this installation has a mail server. */
export const firstStepRoutes = ({ mail }: { mail: boolean }): Route[] => [
  read(contract.getFirstSteps, ({ db, resource: { orgId }, caller, now }) =>
    readFirstSteps(db, { orgId, userId: personOf(caller), mail }, now),
  ),
  write(contract.hideFirstSteps, async ({ resource: { orgId }, caller }, work) => {
    await hideFirstSteps(work, orgId, personOf(caller));
    return undefined;
  }),
];
