import { type Route, read, write } from '../platform/http/mount.ts';
import { refuse } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { getDuty, listShifts } from './duty.ts';
import { previewChain } from './preview.ts';
import { listRinging } from './ringing.ts';
import { getRoster, putRoster } from './roster.ts';
import { getSettings, putSettings } from './settings.ts';

export const onCallRoutes: Route[] = [
  read(contract.getOnCallSettings, ({ db, resource, now }) => getSettings(db, resource.orgId, now)),
  write(contract.putOnCallSettings, ({ resource, body }, work) => putSettings(work, resource.orgId, body)),
  read(contract.getRoster, ({ db, resource }) => getRoster(db, resource.orgId)),
  write(contract.putRoster, ({ resource, body }, work) => putRoster(work, resource.orgId, body.members)),
  read(contract.getDuty, ({ db, resource, now }) => getDuty(db, resource.orgId, now)),
  read(contract.listShifts, ({ db, resource, now, query }) =>
    listShifts(db, resource.orgId, now, query.weeks),
  ),
  read(contract.previewChain, ({ db, resource, now }) => previewChain(db, resource.orgId, now)),
  read(contract.listRinging, async ({ db, resource, now, caller }) =>
    caller?.kind === 'user'
      ? listRinging(db, resource.orgId, caller.userId, now)
      : refuse('unauthenticated', 'Sign in to see what rings for you.'),
  ),
];
