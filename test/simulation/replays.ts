// Replays of the policy in force, of monitors that lived through histories, compared with the incidents that there were.
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { PolicyReplay } from '#src/policy-replay/contract.ts';
import type { TestApp } from '../harness/app.ts';

type Incident = { started: number; opened: number; ended: number | null; regions: string[] };

/** Asks for a replay of each monitor, one after the other; answers what is not as it was. Times in whole seconds. */
export async function replayAll(
  app: TestApp,
  monitors: readonly Monitor[],
): Promise<{ alarms: number; wrong: string[] }> {
  const { rows } = await sql<Incident & { monitor_id: string }>`
    SELECT monitor_id, floor(extract(epoch FROM started_at))::int AS started, (evidence ->> 'triggered_at_unix')::int AS opened,
      floor(extract(epoch FROM resolved_at))::int AS ended, down_regions AS regions
    FROM incidents WHERE monitor_id = ANY(${monitors.map(({ id }) => id)}::text[]) ORDER BY started_at, opened`.execute(
    app.db,
  );
  const there = Map.groupBy(rows, ({ monitor_id }) => monitor_id);
  const wrong: string[] = [];
  let alarms = 0;
  for (const { id, name } of monitors) {
    const must = (there.get(id) ?? []).map(({ started, opened, ended, regions }) => ({
      ...{ started, opened, ended, regions },
    }));
    const replay = await app.alice.ok<PolicyReplay>('POST', `/monitors/${id}/policy-replay`, { policy: {} });
    const is = replay.outages.toReversed().flatMap(({ now }) =>
      now === null
        ? []
        : {
            started: now.started_at_unix,
            opened: now.opened_at_unix,
            ended: now.ended_at_unix,
            regions: now.down_regions,
          },
    );
    alarms += must.length;
    const isSame = replay.outages.every(({ later_seconds }) => later_seconds === 0);
    if (JSON.stringify(is) !== JSON.stringify(must) || !isSame)
      wrong.push(
        `${name} (${id}):\n    was      ${JSON.stringify(must)}\n    replayed ${JSON.stringify(is)}`,
      );
  }
  return { alarms, wrong };
}
