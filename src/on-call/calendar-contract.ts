// Browser-safe. Shifts as iCalendar, under an address that nobody can guess (docs/rules/on-call-and-alarms.md#calendar).
import { type Static, Type } from 'typebox';
import { CALENDAR_SHIFTS } from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '../platform/contract.ts';

const Shared = { tag: 'On-call', resource: 'organization', params: OrganizationParams } as const;
const Shifts = Type.Enum([...CALENDAR_SHIFTS]);

/** Nulls: the caller has none. The address is shown once, when it is made. */
export const Calendar = Type.Object({
  shifts: Type.Union([Shifts, Type.Null()]),
  created_at_unix: Nullable(UnixSeconds()),
});
export type Calendar = Static<typeof Calendar>;

export const getCalendar = operation({
  ...Shared,
  id: 'getOnCallCalendar',
  method: 'GET',
  path: '/organizations/{org_id}/on-call/calendar',
  summary: 'Whether the caller has a calendar address, and of which shifts',
  right: 'member',
  status: 200,
  reply: Calendar,
});

export const createCalendar = operation({
  ...Shared,
  id: 'createOnCallCalendar',
  viewers: true,
  method: 'POST',
  path: '/organizations/{org_id}/on-call/calendar',
  summary: 'Make the caller’s calendar address, shown once; an earlier one is void',
  right: 'member',
  body: Type.Object({ shifts: Type.Optional(Shifts) }, closed),
  status: 201,
  reply: Type.Object({ url: Type.String(), shifts: Shifts, created_at_unix: UnixSeconds() }),
});

export const deleteCalendar = operation({
  ...Shared,
  id: 'deleteOnCallCalendar',
  viewers: true,
  method: 'DELETE',
  path: '/organizations/{org_id}/on-call/calendar',
  summary: 'Void the caller’s calendar address',
  right: 'member',
  status: 204,
});

/** The answer is text/calendar (RFC 5545), not JSON. */
export const readCalendar = operation({
  id: 'readOnCallCalendar',
  method: 'GET',
  path: '/calendars/{token}/on-call.ics',
  summary: 'Shifts of the coming half year as iCalendar; whoever has the address reads it',
  tag: 'On-call',
  right: 'public',
  resource: 'none',
  throttled: true,
  params: Type.Object({ token: Type.String() }),
  status: 200,
  refusals: [404],
});
