import { type CsvColumn, sendCsv } from '../platform/http/csv-stream.ts';
import { paged } from '../platform/http/page.ts';
import { type Route, raw, show } from '../platform/http/route.ts';
import * as contract from './contract.ts';
import { listActivity } from './list.ts';

const json = (value: unknown) => (value === null ? null : JSON.stringify(value));

const COLUMNS: readonly CsvColumn<contract.ActivityEntry>[] = [
  ['id', ({ id }) => id],
  ['at', ({ at_unix }) => new Date(at_unix * 1000)],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['actor', ({ actor }) => actor.name],
  ['action', ({ action }) => action],
  ['resource_kind', ({ resource }) => resource.kind],
  ['resource_id', ({ resource }) => resource.id],
  ['resource', ({ resource }) => resource.name],
  ['address', ({ address }) => address],
  ['before', ({ before }) => json(before)],
  ['after', ({ after }) => json(after)],
];

export const activityRoutes: Route[] = [
  show(contract.listActivity, (call) =>
    paged(
      call,
      (page) => listActivity(call.db, call.resource.orgId, { ...call.query, ...page }, call.within),
      ({ id }) => id,
    ),
  ),
  {
    ...raw(contract.getActivityTable, ({ db, resource, query, within, reply }) =>
      sendCsv(reply, {
        name: 'activity',
        columns: COLUMNS,
        list: (page) => listActivity(db, resource.orgId, { ...query, ...page }, within),
        cursorOf: ({ id }) => id,
      }),
    ),
    held: false,
  },
];
