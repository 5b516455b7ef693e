// Starts, pauses, resumes and ends alarms as their incidents change, with a fixed number of statements for any number of
// changes. An escalation is an incident change too, so it runs this hook again.
import { type Changed, outboxEvents } from '#src/incidents/announce.ts';
import type { JoinedIncident } from '#src/incidents/groups.ts';
import type { IncidentRow } from '#src/incidents/queries.ts';
import { enqueueTo } from '#src/notifications/outbox.ts';
import type { RoutingData } from '#src/notifications/routing-data.ts';
import { pipelined } from '#src/platform/db/pipelined.ts';
import type { Work } from '#src/platform/work.ts';
import { type AlarmState, readAlarmStates } from './alarm-state.ts';
import { audienceOf, type Person, publishRinging, ringFor } from './loud-alarm.ts';
import { reconcileAlarms } from './reconcile-alarm.ts';
import { type Beforehand, NONE, readBeforehand, type Started, startAlarms } from './start-alarm.ts';
import { joinAlarms, notifyOfStorm, notifyOfStormsOver } from './storm.ts';
import { recordSuppressed } from './suppressed.ts';

/** After these changes an alarm may start, or resume. */
const isWaking = ({ change }: Changed) => change === 'opened' || change === 'hold_ended';
/** After these changes the alarm is silent. It already was if the incident had been acknowledged. */
const isSilencing = ({ row, change }: Changed) =>
  change === 'acknowledged' || change === 'held' || (change === 'resolved' && row.acknowledged_at === null);

type First = {
  states: ReadonlyMap<string, AlarmState>;
  /** null: no alarm can start. */
  beforehand: Beforehand | null;
};

/** The result of `readForChanges`. */
const readAhead = new WeakMap<readonly Changed[], First>();

/**
 * Reaction to `incidentsChanging`: reads what `onIncidentsChanged` needs first, in the same round trip as its caller. It is read
 * again where a storm joins alarms in between.
 */
export async function readForChanges(
  work: Work,
  { orgId, changes }: Pick<Announced, 'orgId' | 'changes'>,
): Promise<void> {
  readAhead.set(changes, await readFirst(work, orgId, changes));
}

async function readFirst(work: Work, orgId: string, changes: readonly Changed[]): Promise<First> {
  const ids = changes.map(({ row }) => row.id);
  const [states, beforehand] = await pipelined(
    () => readAlarmStates(work, ids),
    async () => (changes.some(isWaking) ? readBeforehand(work, orgId) : null),
  );
  return { states, beforehand };
}

type Announced = {
  orgId: string;
  changes: readonly Changed[];
  joined: readonly JoinedIncident[];
  routing: RoutingData | null;
};

/** Reaction to `alarmsFollow`. The organization is locked. */
export async function onIncidentsChanged(
  work: Work,
  { orgId, changes, joined, routing }: Announced,
): Promise<void> {
  const ofStorms = await joinAlarms(work, joined);
  const waking = lastRows(changes.filter(isWaking));
  const known = joined.length === 0 ? readAhead.get(changes) : undefined;
  const { states, beforehand } = known ?? (await readFirst(work, orgId, changes));
  await recordSuppressed(work, openedSuppressed(changes, states));
  const [started] = await Promise.all([
    beforehand ? startOrRing(work, orgId, waking, states, async () => beforehand) : NONE,
    stopRinging(work, lastRows(changes.filter(isSilencing)), states),
  ]);
  await notifyPagingTargets(work, routing, changes, states, started);
  await notifyOfStorm(work, orgId, ofStorms);
  const acknowledged = changes.filter(({ change }) => change === 'acknowledged').map(({ row }) => row.id);
  await reconcileAlarms(
    work,
    orgId,
    // A paused alarm goes on if one that rings has joined it, whether or not the incident that made the storm rings.
    alarmsOf(states.values(), [...ofStorms, ...started.paused]),
    ofThese(acknowledged, states),
  );
  await notifyOfStormsOver(work, orgId, changes);
}

const lastRows = (changes: readonly Changed[]): IncidentRow[] => [
  ...new Map(changes.map(({ row }) => [row.id, row])).values(),
];

export function alarmsOf(states: Iterable<AlarmState>, more: Iterable<number> = []): Set<number> {
  const nos = new Set(more);
  for (const { alarmNo } of states) if (alarmNo !== null) nos.add(alarmNo);
  return nos;
}

const ofThese = (ids: readonly string[], states: ReadonlyMap<string, AlarmState>): Set<number> =>
  alarmsOf(ids.flatMap((id) => states.get(id) ?? []));

/** Rings again for incidents that page and have an alarm; starts and returns the alarms of those that have none. */
export async function startOrRing(
  work: Work,
  orgId: string,
  rows: readonly IncidentRow[],
  states: ReadonlyMap<string, AlarmState>,
  beforehand: () => Promise<Beforehand>,
): Promise<Started> {
  const paging = rows.filter(({ id }) => states.get(id)?.isPaging);
  const again = paging.filter(({ id }) => states.get(id)?.alarmNo != null);
  await each(work, again, { states, mayTakeIt: true }, (rung) =>
    ringFor(
      work,
      rung.map(({ row, people }) => ({ row, people, detail: 'the loud alarm rings again' })),
    ),
  );
  return startAlarms(
    work,
    orgId,
    paging.filter(({ id }) => states.get(id)?.alarmNo == null),
    beforehand,
  );
}

/** Ends the loud alarm of incidents on the clients of the people it has reached. */
export async function stopRinging(
  work: Work,
  rows: readonly IncidentRow[],
  states: ReadonlyMap<string, AlarmState>,
): Promise<void> {
  const silent = rows.filter(({ id }) => states.get(id)?.alarmNo != null && !states.get(id)?.isPaging);
  await each(work, silent, { states, mayTakeIt: false }, async (ended) => {
    for (const { row, people } of ended) publishRinging(work, row, 'ended', people);
  });
}

async function each(
  work: Work,
  rows: readonly IncidentRow[],
  { states, mayTakeIt }: { states: ReadonlyMap<string, AlarmState>; mayTakeIt: boolean },
  act: (reached: { row: IncidentRow; people: readonly Person[] }[]) => Promise<void>,
): Promise<void> {
  if (rows.length === 0) return;
  const audience = await audienceOf(
    work,
    ofThese(
      rows.map(({ id }) => id),
      states,
    ),
    { mayTakeIt },
  );
  await act(rows.map((row) => ({ row, people: audience(states.get(row.id)?.alarmNo) })));
}

const openedSuppressed = (changes: readonly Changed[], states: ReadonlyMap<string, AlarmState>) =>
  changes
    .filter(({ row, change }) => change === 'opened' && states.get(row.id)?.suppressed)
    .map(({ row }) => row.id);

/**
 * Paging targets follow the alarm, not the incident: they get `opened` when the alarm starts, and later changes only after
 * that. An incident that was over before its alarm started pages nobody.
 */
async function notifyPagingTargets(
  work: Work,
  routing: RoutingData | null,
  changes: readonly Changed[],
  states: ReadonlyMap<string, AlarmState>,
  started: Started,
): Promise<void> {
  const later = changes.filter(({ row, change }) => {
    const isKnown = states.get(row.id)?.alarmNo != null || started.incidentIds.has(row.id);
    return isKnown && change !== 'opened';
  });
  const announced = [...opened(lastRows(changes), started), ...later];
  await enqueueTo(work, routing, outboxEvents(work, announced), ['paging']);
}

/** An `opened` change for each incident whose alarm has just started. */
export const opened = (rows: readonly IncidentRow[], started: Started): Changed[] =>
  rows.filter(({ id }) => started.incidentIds.has(id)).map((row) => ({ row, change: 'opened' }));
