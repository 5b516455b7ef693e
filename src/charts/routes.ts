import { listIncidents } from '../incidents/contract.ts';
import { listMaintenance } from '../maintenance/contract.ts';
import type { Operation } from '../platform/contract.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { type Call, type Route, show } from '../platform/http/route.ts';
import { readAnnotations } from './annotations.ts';
import { getAnnotations, getHoursOfWeek } from './contract.ts';
import { hoursOfWeek } from './hours-of-week.ts';

/** Incidents and maintenance have scopes of their own. */
const seen = (call: Call<Operation>) => ({
  now: call.now,
  seesIncidents: hasRight(listIncidents, call),
  seesMaintenance: hasRight(listMaintenance, call),
});

export const chartRoutes: Route[] = [
  show(getAnnotations, (call) =>
    readAnnotations(call.db, call.params.monitor_id, call.query, seen(call as never)),
  ),
  show(getHoursOfWeek, ({ db, params, query, now }) => hoursOfWeek(db, params.monitor_id, query, now)),
];
