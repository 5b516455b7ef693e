// Pages that wait at targets which are not notified that nobody needs to respond any more.
import { type Changed, EVENT_OF } from '#src/incidents/announce.ts';
import { cancelUnannounced } from '#src/notifications/delivery/superseded.ts';
import type { RoutingData } from '#src/notifications/routing-data.ts';
import type { Work } from '#src/platform/work.ts';

type Announced = { changes: readonly Changed[]; routing: RoutingData | null };

/** Reaction to `incidentsChanged`, after the targets that are subscribed were notified (docs/rules/notifications.md#overtaken-pages). */
export async function cancelPagesOfUnannounced(work: Work, { changes, routing }: Announced): Promise<void> {
  await cancelUnannounced(
    work,
    routing?.targets ?? [],
    changes.flatMap(({ row, change }) => {
      const event = EVENT_OF[change];
      return event === undefined ? [] : { event, incidentId: row.id, groupNo: row.group_no };
    }),
  );
}
