import { holdSession } from '../accounts/hold-session.ts';
import { personOf } from '../platform/http/actor.ts';
import { chargeTo } from '../platform/http/current-request.ts';
import { type AuthorizedRequest, type Call, type Route, raw, read, write } from '../platform/http/route.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { getAlarmPlan } from './alarm-plan.ts';
import * as planned from './alarm-plan-contract.ts';
import { createCalendar, deleteCalendar, findCalendar, getCalendar } from './calendar.ts';
import * as calendars from './calendar-contract.ts';
import { calendarFile } from './calendar-file.ts';
import * as contract from './contract.ts';
import { confirmRings, endDrillByHand } from './drills/by-hand.ts';
import * as drilled from './drills/contract.ts';
import { findDrill, getDrill, listDrills } from './drills/record.ts';
import { startDrill } from './drills/start.ts';
import { getDuty, listShifts } from './duty.ts';
import { createOverride, deleteOverride, findOverride, listOverrides, type Requester } from './overrides.ts';
import * as overridden from './overrides-contract.ts';
import { previewChain } from './preview.ts';
import { listRinging } from './ringing.ts';
import { getRoster, putRoster } from './roster.ts';
import { getSettings, putSettings } from './settings.ts';

export type OnCallRoutesOptions = {
  /** Whether this installation has a mail server. */
  mail: boolean;
  /** Where calendar addresses lead, without a slash at the end. */
  baseUrl: string;
};

/** Keys with the scope act for the organization, as admins do. */
const requesterOf = ({ caller, role }: Pick<Call<unknown>, 'caller' | 'role'>): Requester =>
  caller?.kind === 'user'
    ? { userId: caller.userId, isAdmin: role === 'owner' || role === 'admin' }
    : { userId: null, isAdmin: true };

const userIdOf = ({ caller }: Pick<Call<unknown>, 'caller'>) =>
  caller?.kind === 'user' ? caller.userId : null;

const findRequestedDrill = ({ db, resource, params }: AuthorizedRequest) =>
  findDrill(db, resource.orgId, params.drill_id ?? '');

/** A route by which a person ends a running drill. */
const endsDrill = (
  operation: typeof drilled.acknowledgeDrill | typeof drilled.stopDrill,
  outcome: 'acknowledged' | 'stopped',
): Route => ({
  ...write(operation, async ({ resource, params, caller }, work) => {
    const { id } = await findDrill(work.tx, resource.orgId, params.drill_id);
    await endDrillByHand(work, resource.orgId, id, outcome);
    return getDrill(work.tx, resource.orgId, id, userIdOf({ caller }));
  }),
  beforeBody: findRequestedDrill,
});

/** Sends the calendar of an address, or 304 to a reader that has it already. */
async function sendCalendar({ db, params, now, request, reply }: Call<typeof calendars.readCalendar>) {
  const calendar = (await findCalendar(db, params.token)) ?? notFound('calendar');
  chargeTo({ id: calendar.orgId, owner: calendar.owner });
  const { etag, text } = await calendarFile(db, calendar, now);
  reply.header('etag', etag).header('cache-control', 'private, max-age=300');
  const has = request.headers['if-none-match']?.split(',').map((each) => each.trim());
  if (has?.includes(etag)) return reply.status(304).send();
  return reply.header('content-type', 'text/calendar; charset=utf-8').send(text());
}

export const onCallRoutes = ({ mail, baseUrl }: OnCallRoutesOptions): Route[] => [
  read(contract.getOnCallSettings, ({ db, resource, now }) => getSettings(db, resource.orgId, now)),
  write(contract.putOnCallSettings, ({ resource, body }, work) => putSettings(work, resource.orgId, body)),
  read(contract.getRoster, ({ db, resource, now }) => getRoster(db, resource.orgId, now)),
  write(contract.putRoster, ({ resource, body }, work) => putRoster(work, resource.orgId, body.members)),
  read(contract.getDuty, ({ db, resource, now }) => getDuty(db, resource.orgId, now)),
  read(contract.listShifts, ({ db, resource, now, query }) =>
    listShifts(db, resource.orgId, now, query.weeks),
  ),
  read(contract.previewChain, ({ db, resource, now }) => previewChain(db, resource.orgId, now)),
  read(planned.getAlarmPlan, ({ db, resource, now }) =>
    getAlarmPlan(db, { orgId: resource.orgId, monitorNo: null, mail }, now),
  ),
  read(planned.getMonitorAlarmPlan, ({ db, resource, now }) =>
    getAlarmPlan(db, { orgId: resource.orgId, monitorNo: resource.monitorNo, mail }, now),
  ),
  read(overridden.listOverrides, ({ db, resource, now }) => listOverrides(db, resource.orgId, now)),
  write(overridden.createOverride, ({ resource, body, caller, role }, work) =>
    createOverride(work, resource.orgId, body, requesterOf({ caller, role })),
  ),
  {
    ...write(overridden.deleteOverride, async ({ resource, params, caller, role }, work) => {
      await deleteOverride(work, resource.orgId, params.override_id, requesterOf({ caller, role }));
      return undefined;
    }),
    beforeBody: async ({ db, resource, params }) =>
      (await findOverride(db, resource.orgId, params.override_id ?? '')) ?? notFound('override'),
  },
  read(calendars.getCalendar, ({ db, resource, caller }) =>
    getCalendar(db, resource.orgId, personOf(caller)),
  ),
  write(calendars.createCalendar, async ({ resource, body, caller }, work) => {
    const made = await createCalendar(work, resource.orgId, {
      userId: personOf(caller),
      shifts: body.shifts ?? 'mine',
      baseUrl,
    });
    await holdSession(work.tx, caller);
    return made;
  }),
  write(calendars.deleteCalendar, async ({ resource, caller }, work) => {
    await deleteCalendar(work, resource.orgId, personOf(caller));
    return undefined;
  }),
  { ...raw(calendars.readCalendar, sendCalendar), held: false },
  read(drilled.listDrills, ({ db, resource, caller, query }) =>
    listDrills(db, resource.orgId, userIdOf({ caller }), query.state),
  ),
  write(drilled.startDrill, ({ resource, body }, work) => startDrill(work, resource.orgId, body)),
  read(drilled.getDrill, ({ db, resource, params, caller }) =>
    getDrill(db, resource.orgId, params.drill_id, userIdOf({ caller })),
  ),
  endsDrill(drilled.acknowledgeDrill, 'acknowledged'),
  endsDrill(drilled.stopDrill, 'stopped'),
  {
    ...write(drilled.confirmDrillRings, async ({ resource, params, caller }, work) => {
      const { id } = await findDrill(work.tx, resource.orgId, params.drill_id);
      await confirmRings(work, id, personOf(caller));
      return undefined;
    }),
    beforeBody: findRequestedDrill,
  },
  read(contract.listRinging, async ({ db, resource, now, caller }) =>
    caller?.kind === 'user'
      ? listRinging(db, resource.orgId, caller.userId, now)
      : refuse('unauthenticated', 'Sign in to see what rings for you.'),
  ),
];
