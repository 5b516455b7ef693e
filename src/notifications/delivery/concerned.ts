// Which incidents of a storm a target receives (docs/rules/notifications.md#routing), for statements that count incidents.
import { type RawBuilder, sql } from 'kysely';

/** Whether a target leaves any incident out: most do not, and need not look each one up. */
export const isNarrowed = (targetId: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT FROM target_concerns n WHERE n.target_id = ${targetId} AND NOT n.concerned)`;

/** Whether the target is concerned. A target without such an entry is. */
export const isConcernedBy = (targetId: RawBuilder<unknown>, incidentId: RawBuilder<unknown>) =>
  sql<boolean>`NOT EXISTS (SELECT FROM target_concerns c
    WHERE c.about_id = ${incidentId} AND c.target_id = ${targetId} AND NOT c.concerned)`;
