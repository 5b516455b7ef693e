import { type Route, show } from '../platform/http/route.ts';
import { getSeries, listMonitorFigures } from './contract.ts';
import { monitorFigures } from './monitor-figures.ts';
import { seriesOf } from './series.ts';

export const seriesRoutes: Route[] = [
  show(getSeries, ({ db, params, query, resource, now }) =>
    seriesOf(db, { monitorId: params.monitor_id, orgId: resource.orgId }, query, now),
  ),
  show(listMonitorFigures, ({ db, resource, query, within, now }) =>
    monitorFigures(db, resource.orgId, query.monitor_ids, { within, now, long: query.long === 'true' }),
  ),
];
