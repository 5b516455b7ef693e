import { DEFAULT_SERIES_RANGE } from '../domain/series.ts';
import { type Route, show } from '../platform/http/mount.ts';
import { getSeries, listMonitorFigures } from './contract.ts';
import { monitorFigures } from './monitor-figures.ts';
import { seriesOf } from './series.ts';

export const seriesRoutes: Route[] = [
  show(getSeries, ({ db, params, query, now }) =>
    seriesOf(db, params.monitor_id, { ...query, range: query.range ?? DEFAULT_SERIES_RANGE }, now),
  ),
  show(listMonitorFigures, ({ db, resource, query, within, now }) =>
    monitorFigures(db, resource.orgId, query.monitor_ids, within, now),
  ),
];
