// What decided monitors have to tell of, in the order in which it happened to each: incidents open, close, and name a
// further region. What happens to different monitors is written together.
import { sql } from 'kysely';
import { hasOpenIncident, type Opened, type Verdict } from '../domain/confirmation.ts';
import { NO_REGION, told } from '../domain/no-region.ts';
import { closeIncidents, openIncidentsOf } from '../incidents/close.ts';
import { openIncidents } from '../incidents/open.ts';
import type { Work } from '../platform/work.ts';
import { evidenceOf } from './evidence.ts';
import type { LoadedSubject } from './monitored.ts';
import type { Outcome } from './outcome.ts';

/** Incidents that are written with one statement. */
const TOGETHER = 500;

type Happened<V extends Verdict = Verdict> = { subject: LoadedSubject; event: V };
type Resolved = Extract<Verdict, { kind: 'resolved' }>;
type RegionFailing = Extract<Verdict, { kind: 'region_failing' }>;

/** Writes down the events of monitors whose states are locked. */
export async function applyEvents(work: Work, outcomes: readonly Outcome[]): Promise<void> {
  const told = outcomes.map(({ subject, events }) => notableOf(subject, events));
  const rounds = Math.max(0, ...told.map((events) => events.length));
  // Most often there is one. The next of a monitor waits for the one before: it may be about the same incident.
  for (let round = 0; round < rounds; round++) {
    const happened = told.flatMap((events) => events[round] ?? []);
    for (let i = 0; i < happened.length; i += TOGETHER)
      await applyRound(work, happened.slice(i, i + TOGETHER));
  }
}

/** What incidents are told of; a region that fails while none is open is not. */
function notableOf(subject: LoadedSubject, events: readonly Verdict[]): Happened[] {
  let isOpen = hasOpenIncident(subject.state);
  return events.flatMap((event) => {
    if (event.kind === 'opened') isOpen = true;
    const isNotable =
      event.kind === 'opened' ||
      event.kind === 'resolved' ||
      (event.kind === 'region_failing' && isOpen && event.region !== NO_REGION);
    return isNotable ? { subject, event } : [];
  });
}

async function applyRound(work: Work, happened: readonly Happened[]): Promise<void> {
  const of = <K extends Verdict['kind']>(kind: K) =>
    happened.filter(({ event }) => event.kind === kind) as Happened<Extract<Verdict, { kind: K }>>[];
  await Promise.all([
    open(work, of('opened')),
    close(work, of('resolved')),
    name(work, of('region_failing')),
  ]);
}

async function open(work: Work, happened: readonly Happened<Opened>[]): Promise<void> {
  if (happened.length === 0) return;
  const openings = happened.map(({ subject, event }) => ({
    orgId: subject.orgId,
    monitorId: subject.id,
    monitorNo: subject.no,
    projectId: subject.projectId,
    checkOnce: subject.type,
    downRegions: told(event.downRegions),
    regionCount: told(subject.subject.regions).length,
    startedAt: new Date(event.startedAtMs),
    failurePhaseStartedAt: new Date(event.failurePhaseStartedAtMs),
    triggeredAt: new Date(event.triggeredAtMs),
  }));
  const verdicts = happened.map(({ subject, event }) => ({ subject, verdict: event }));
  await openIncidents(work, openings, evidenceOf(work, verdicts));
}

async function close(work: Work, happened: readonly Happened<Resolved>[]): Promise<void> {
  if (happened.length === 0) return;
  const open = await openIncidentsOf(
    work,
    happened.map(({ subject }) => subject.no),
  );
  const closing = { automatic: true, actorName: null, detail: 'recovered' };
  for (const [orgId, own] of Map.groupBy(happened, ({ subject }) => subject.orgId)) {
    const ends = own.flatMap(({ subject, event }) => {
      const incidentId = open.get(subject.no);
      return incidentId === undefined ? [] : { incidentId, at: new Date(event.atMs) };
    });
    await closeIncidents(work, orgId, ends, closing);
  }
}

/** `down_regions` names every region that has been failing during the incident (docs/rules/confirmation.md#down-regions). */
async function name(work: Work, happened: readonly Happened<RegionFailing>[]): Promise<void> {
  if (happened.length === 0) return;
  const rows = happened.map(({ subject, event }) => ({ no: subject.no, region: event.region }));
  await sql`
    UPDATE incidents i SET down_regions =
      ARRAY(SELECT DISTINCT name FROM unnest(i.down_regions || f.region) AS name ORDER BY name)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS f (no int, region text)
    WHERE i.monitor_no = f.no AND i.status = 'open' AND i.origin = 'automatic' AND NOT f.region = ANY(i.down_regions)`.execute(
    work.tx,
  );
}
