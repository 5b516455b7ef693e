// SQL conditions: which incidents of a storm a target receives (docs/rules/notifications.md#routing), for statements that count incidents.
import { type RawBuilder, sql } from 'kysely';

/** Whether the filter of a target leaves any incident out. Most leave out none, and need no look-up per incident. */
export const leavesOutIncidents = (targetId: RawBuilder<unknown>) =>
  sql<boolean>`EXISTS (SELECT FROM target_concerns n WHERE n.target_id = ${targetId} AND NOT n.concerned)`;

/** Whether a target receives an incident. It does, unless an entry says that its filter leaves it out. */
export const receivesIncident = (targetId: RawBuilder<unknown>, incidentId: RawBuilder<unknown>) =>
  sql<boolean>`NOT EXISTS (SELECT FROM target_concerns c
    WHERE c.about_id = ${incidentId} AND c.target_id = ${targetId} AND NOT c.concerned)`;
