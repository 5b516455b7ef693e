import { type Call, type Route, read, write } from '../platform/http/route.ts';
import { refuse } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { hideFirstSteps, readFirstSteps } from './read.ts';

const personOf = ({ caller }: Pick<Call<unknown>, 'caller'>): string =>
  caller?.kind === 'user' ? caller.userId : refuse('forbidden', 'This is for people only.');

/** `mail`: whether this installation has a mail server. */
export const firstStepRoutes = ({ mail }: { mail: boolean }): Route[] => [
  read(contract.getFirstSteps, ({ db, resource: { orgId }, caller, now }) =>
    readFirstSteps(db, { orgId, userId: personOf({ caller }), mail }, now),
  ),
  write(contract.hideFirstSteps, async ({ resource: { orgId }, caller }, work) => {
    await hideFirstSteps(work, orgId, personOf({ caller }));
    return undefined;
  }),
];
