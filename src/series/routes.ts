import { DEFAULT_SERIES_RANGE } from '../domain/series.ts';
import { type Route, read } from '../platform/http/mount.ts';
import { getSeries } from './contract.ts';
import { seriesOf } from './series.ts';

export const seriesRoutes: Route[] = [
  read(getSeries, ({ db, params, query, now }) =>
    seriesOf(db, params.monitor_id, { ...query, range: query.range ?? DEFAULT_SERIES_RANGE }, now),
  ),
];
