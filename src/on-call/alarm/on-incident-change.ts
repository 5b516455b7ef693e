// The alarm chain follows the incidents: their alarms start, ring, fall silent and end as they change. Whatever number
// of them changes at once, it costs a handful of statements.
import { type Changed, outboxEvents } from '#src/incidents/announce.ts';
import type { IncidentRow } from '#src/incidents/queries.ts';
import { recordTimeline } from '#src/incidents/timeline.ts';
import { enqueueEvents } from '#src/notifications/outbox.ts';
import type { Work } from '#src/platform/work.ts';
import { readStandings, type Standing } from './alarm-state.ts';
import { audienceOf, type Person, ring, tell } from './loud-alarm.ts';
import { settleAlarms } from './reconcile-alarm.ts';
import { type Started, startAlarms } from './start-alarm.ts';

/** After these an alarm may start, or go on. */
const isWaking = ({ change }: Changed) => change === 'opened' || change === 'hold_ended';
/** After these it is silent. What was taken before is so already. */
const isSilencing = ({ row, change }: Changed) =>
  change === 'acknowledged' || change === 'held' || (change === 'resolved' && row.acknowledged_at === null);

/** Reaction to `incidentsChanged`: the organization is locked. */
export async function followIncidents(
  work: Work,
  { orgId, changes }: { orgId: string; changes: readonly Changed[] },
): Promise<void> {
  const standings = await readStandings(
    work,
    changes.map(({ row }) => row.id),
  );
  const [started] = await Promise.all([
    wake(work, orgId, lastRows(changes.filter(isWaking)), standings),
    silence(work, lastRows(changes.filter(isSilencing)), standings),
    recordTimeline(work, suppressedAtOpening(changes, standings)),
  ]);
  await tellPaging(work, orgId, changes, standings, started);
  const acknowledged = changes.filter(({ change }) => change === 'acknowledged').map(({ row }) => row.id);
  await settleAlarms(
    work,
    orgId,
    alarmsOf(standings.values(), started.joined),
    ofThese(acknowledged, standings),
  );
}

const lastRows = (changes: readonly Changed[]): IncidentRow[] => [
  ...new Map(changes.map(({ row }) => [row.id, row])).values(),
];

export function alarmsOf(standings: Iterable<Standing>, more: Iterable<number> = []): Set<number> {
  const nos = new Set(more);
  for (const { alarmNo } of standings) if (alarmNo !== null) nos.add(alarmNo);
  return nos;
}

const ofThese = (ids: readonly string[], standings: ReadonlyMap<string, Standing>): Set<number> =>
  alarmsOf(ids.flatMap((id) => standings.get(id) ?? []));

/**
 * Starts the alarms of those that are awake and have none, which it answers, and rings again for those that have.
 */
export async function wake(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  standings: ReadonlyMap<string, Standing>,
): Promise<Started> {
  const awake = rows.filter(({ id }) => standings.get(id)?.awake);
  const again = awake.filter(({ id }) => standings.get(id)?.alarmNo != null);
  await each(work, again, standings, (rung) =>
    ring(
      work,
      rung.map(({ row, people }) => ({ row, people, detail: 'the loud alarm rings again' })),
    ),
  );
  return startAlarms(
    work,
    orgId,
    awake.filter(({ id }) => standings.get(id)?.alarmNo == null),
  );
}

/** Ends the loud alarm of incidents on the clients of whom it has reached. */
export async function silence(
  work: Work,
  rows: readonly IncidentRow[],
  standings: ReadonlyMap<string, Standing>,
): Promise<void> {
  const silent = rows.filter(({ id }) => standings.get(id)?.alarmNo != null && !standings.get(id)?.awake);
  await each(work, silent, standings, async (ended) => {
    for (const { row, people } of ended) tell(work, row, 'ended', people);
  });
}

async function each(
  work: Work,
  rows: readonly IncidentRow[],
  standings: ReadonlyMap<string, Standing>,
  act: (reached: { row: IncidentRow; people: readonly Person[] }[]) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  const audience = await audienceOf(
    work,
    ofThese(
      rows.map(({ id }) => id),
      standings,
    ),
  );
  await act(rows.map((row) => ({ row, people: audience(standings.get(row.id)?.alarmNo) })));
}

const suppressedAtOpening = (changes: readonly Changed[], standings: ReadonlyMap<string, Standing>) =>
  changes
    .filter(({ row, change }) => change === 'opened' && standings.get(row.id)?.suppressed)
    .map(({ row }) => suppressedEntry(row.id));

/** What a timeline says of an alarm that maintenance keeps quiet. */
export const SUPPRESSED = 'the alarm is quiet: maintenance';

export const suppressedEntry = (incidentId: string) => ({
  incidentId,
  kind: 'suppressed' as const,
  detail: SUPPRESSED,
});

/**
 * Paging targets belong to the alarm: they are told `opened` when it starts, which may be later than the incident, and of
 * later changes only where it has started. Nothing of what was over before.
 */
async function tellPaging(
  work: Work,
  orgId: string,
  changes: readonly Changed[],
  standings: ReadonlyMap<string, Standing>,
  started: Started,
): Promise<void> {
  const later = changes.filter(({ row, change }) => {
    const isKnown = standings.get(row.id)?.alarmNo != null || started.incidentIds.has(row.id);
    return isKnown && change !== 'opened';
  });
  await enqueueEvents(work, orgId, outboxEvents(work, [...opened(lastRows(changes), started), ...later]), [
    'paging',
  ]);
}

/** Of those of these rows whose alarm has just started: that they opened. */
export const opened = (rows: readonly IncidentRow[], started: Started): Changed[] =>
  rows.filter(({ id }) => started.incidentIds.has(id)).map((row) => ({ row, change: 'opened' }));
