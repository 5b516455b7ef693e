// The kinds of lines about maintenance.
import { Type } from 'typebox';
import { Instant, id, Name, nullable, object, Text } from './format-fields.ts';

/** Not in exports of before they were there. */
const Tags = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20 });

export const KINDS_OF_MAINTENANCE = {
  /** Not in exports of before it was there. */
  maintenance_series: object({
    id: id('mws'),
    rrule: Type.String({ minLength: 1, maxLength: 500 }),
    timezone: Text,
    repeat_until: nullable(Instant),
    first_start: Instant,
    first_end: Instant,
    title: Name,
    body: Text,
    public_visible: Type.Boolean(),
    made_until: Instant,
    next_at: nullable(Instant),
    created_at: Instant,
    monitor_ids: Type.Array(id('mon'), { maxItems: 1000, uniqueItems: true }),
    tags: Type.Optional(Tags),
  }),
  maintenance_window: object({
    id: id('mwn'),
    title: Name,
    body: Text,
    scheduled_start: Instant,
    scheduled_end: Instant,
    public_visible: Type.Boolean(),
    cancelled_at: nullable(Instant),
    started_at: nullable(Instant),
    ended_at: nullable(Instant),
    created_at: Instant,
    /** Not in exports of before they were there. */
    changed_at: Type.Optional(nullable(Instant)),
    series_id: Type.Optional(nullable(id('mws'))),
    occurs_at: Type.Optional(nullable(Instant)),
    monitor_ids: Type.Array(id('mon'), { maxItems: 100_000, uniqueItems: true }),
    tags: Type.Optional(Tags),
    /** Those of `monitor_ids` that are in by a tag. */
    tagged_ids: Type.Optional(Type.Array(id('mon'), { maxItems: 100_000, uniqueItems: true })),
  }),
} as const;
