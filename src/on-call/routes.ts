import { type Route, read, write } from '../platform/http/mount.ts';
import { refuse } from '../platform/refusals.ts';
import * as contract from './contract.ts';
import { getDuty, listShifts } from './duty.ts';
import { previewChain } from './preview.ts';
import { listRinging } from './ringing.ts';
import { getRoster, putRoster } from './roster.ts';
import { getSettings, putSettings } from './settings.ts';

export const onCallRoutes: Route[] = [
  read(contract.getOnCallSettings, ({ db, subject, now }) => getSettings(db, subject.orgId, now)),
  write(contract.putOnCallSettings, ({ subject, body }, work) => putSettings(work, subject.orgId, body)),
  read(contract.getRoster, ({ db, subject }) => getRoster(db, subject.orgId)),
  write(contract.putRoster, ({ subject, body }, work) => putRoster(work, subject.orgId, body.members)),
  read(contract.getDuty, ({ db, subject, now }) => getDuty(db, subject.orgId, now)),
  read(contract.listShifts, ({ db, subject, now, query }) => listShifts(db, subject.orgId, now, query.weeks)),
  read(contract.previewChain, ({ db, subject, now }) => previewChain(db, subject.orgId, now)),
  read(contract.listRinging, async ({ db, subject, now, caller }) =>
    caller?.kind === 'user'
      ? listRinging(db, subject.orgId, caller.userId, now)
      : refuse('unauthenticated', 'Sign in to see what rings for you.'),
  ),
];
