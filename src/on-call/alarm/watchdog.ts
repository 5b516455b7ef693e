// The alarm watchdog finds alarms lost to a clock set back, a lost job or a race. They ring late instead of never.
import { sql } from 'kysely';
import { isPaging } from '#src/conditions/paging.ts';
import { unlinkAlarms } from '#src/incidents/alarm-no.ts';
import { selectIncidents } from '#src/incidents/queries.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { Log } from '#src/platform/log.ts';
import { bisectFailures, makeSetAside, noteSetAside } from '#src/platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Tx, type Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { type OnCall, readOnCall } from '../on-call-config.ts';
import { numbers, readAlarmStates } from './alarm-state.ts';
import { addAudience, ringFor } from './loud-alarm.ts';
import { forEachOrganization, resumeAlarms } from './maintenance-pause.ts';
import { describeIncidents } from './notice-content.ts';

/** The ordinary path has finished by then. */
const GRACE_MS = 10_000;
/** A hold is ended by its own job, which the job auditor adds again if it is lost. */
const HOLD_GRACE_MS = 60_000;
/** Found per round; the next one follows at once. */
const MAX_LISTED = 500;
/** The watchdog looks again ten seconds later: none that stays silent keeps it busy for ever. */
const MAX_ROUNDS = 40;

/** The alarm of incident `i` has not started, or does not ring. */
const isSilent = sql<boolean>`(i.alarm_no IS NULL OR EXISTS (
  SELECT FROM alarms a WHERE a.no = i.alarm_no AND (a.ended_at IS NOT NULL OR a.paused_at IS NOT NULL)))`;

/** Alarm `a` runs, but none of its audience is a member any more, or not one who may take it. */
const ringsForNobody = sql<boolean>`(a.ended_at IS NULL AND a.paused_at IS NULL AND NOT EXISTS (
  SELECT FROM alarm_audience aud JOIN members m ON m.org_id = a.org_id AND m.user_id = aud.user_id
  WHERE aud.alarm_no = a.no AND m.role <> 'viewer'))`;

/** Alarms that cannot be started are set aside, so that they do not crowd others out of a round. */
const setAside = makeSetAside<string>();

/**
 * Finds incidents that should ring and do not, and alarms whose audience has left, and makes them ring. Returns how many it
 * found. Each organization has its own unit of work, and failures are isolated: one broken alarm silences no other.
 */
export async function startLostAlarms(db: Database, now: Date, log: Log): Promise<number> {
  let found = 0;
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    const { silent, deserted } = await startListed(db, now, log);
    found += silent + deserted;
    if (silent < MAX_LISTED && deserted < MAX_LISTED) break;
  }
  return found;
}

async function startListed(db: Database, now: Date, log: Log): Promise<{ silent: number; deserted: number }> {
  const set = setAside.at(now.getTime());
  const [silent, deserted] = await Promise.all([
    silentIncidents(db, now, set),
    alarmsWithoutAudience(db, now).then((all) => all.filter(({ no, orgId }) => !set.has(`${orgId} ${no}`))),
  ]);
  const inWork = (act: (work: Work) => Promise<void>) => runWork(db, now, SYSTEM, act);
  await each(
    silent,
    ({ id }) => id,
    { ids: 'incident_id', now, log },
    (some) =>
      inWork((work) =>
        startLost(
          work,
          some.map(({ id }) => id),
        ),
      ),
  );
  await each(
    deserted,
    ({ no, orgId }) => `${orgId} ${no}`,
    { ids: 'alarm', now, log },
    (some) =>
      inWork((work) =>
        ringForAdministrators(
          work,
          some[0]?.orgId ?? '',
          some.map(({ no }) => no),
        ),
      ),
  );
  return { silent: silent.length, deserted: deserted.length };
}

/** Calls `act` once per organization; an item that fails on its own is set aside. */
async function each<Found extends { orgId: string }>(
  all: readonly Found[],
  idOf: (found: Found) => string,
  { ids, now, log }: { ids: string; now: Date; log: Log },
  act: (some: readonly Found[]) => Promise<void>,
): Promise<void> {
  for (const [orgId, some] of Map.groupBy(all, (found) => found.orgId))
    for (const { item, error } of await bisectFailures(some, act)) {
      setAside.failed(idOf(item), now.getTime());
      noteSetAside(log, 'alarm_start', { org_id: orgId, [ids]: idOf(item) }, error);
    }
}

type Silent = { id: string; orgId: string };

/** Organizations take turns, so that a large storm keeps no other waiting. */
async function silentIncidents(db: Database, now: Date, set: ReadonlySet<string>): Promise<Silent[]> {
  const before = new Date(now.getTime() - GRACE_MS);
  const { rows } = await sql<Silent>`
    SELECT i.id, i.org_id AS "orgId" FROM incidents i
    WHERE ${isPaging(now)} AND ${isPaging(before)} AND ${isSilent} AND i.created_at < ${before}
      AND i.id <> ALL(${[...set]}::text[])
      AND (i.alarm_held_until IS NULL OR i.alarm_held_until < ${new Date(now.getTime() - HOLD_GRACE_MS)})
    ORDER BY row_number() OVER (PARTITION BY i.org_id ORDER BY i.id), i.org_id LIMIT ${MAX_LISTED}`.execute(
    db,
  );
  return rows;
}

/** Reads the incidents again under the locks: the ordinary path may have been faster. */
async function startLost(work: Work, ids: readonly string[]): Promise<void> {
  const those = sql<boolean>`i.id = ANY(${[...ids]}::text[])`;
  await forEachOrganization(work, those, async (orgId, rows) => {
    const { rows: silent } = await sql<{ id: string; isOver: boolean }>`
      SELECT i.id, EXISTS (SELECT FROM alarms a WHERE a.no = i.alarm_no AND a.ended_at IS NOT NULL) AS "isOver"
      FROM incidents i WHERE ${those} AND i.org_id = ${orgId} AND ${isPaging(work.now)} AND ${isSilent}`.execute(
      work.tx,
    );
    await unlinkAlarms(
      work,
      silent.filter(({ isOver }) => isOver).map(({ id }) => id),
    );
    const states = await readAlarmStates(
      work,
      silent.map(({ id }) => id),
    );
    await resumeAlarms(
      work,
      orgId,
      rows.filter(({ id }) => states.has(id)),
      states,
    );
  });
}

type Deserted = { no: number; orgId: string };

/** Alarms without an audience, in organizations that have somebody to take over. */
async function alarmsWithoutAudience(db: Database, now: Date): Promise<Deserted[]> {
  const { rows } = await sql<Deserted>`
    SELECT a.no, a.org_id AS "orgId" FROM alarms a
    WHERE ${ringsForNobody} AND a.started_at < ${new Date(now.getTime() - GRACE_MS)}
      AND EXISTS (SELECT FROM members m WHERE m.org_id = a.org_id AND m.role IN ('owner', 'admin'))
      AND EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isPaging(now)})
    ORDER BY a.org_id, a.no LIMIT ${MAX_LISTED}`.execute(db);
  return rows;
}

/** Owners and admins take over from an audience that has left, on every channel at once. */
async function ringForAdministrators(work: Work, orgId: string, alarmNos: readonly number[]): Promise<void> {
  const { tx } = work;
  if (!(await lockOrganization(tx, orgId))) return;
  const { rows: alarms } = await sql<{ no: number }>`
    SELECT a.no FROM alarms a WHERE a.no = ANY(${numbers(alarmNos)}) AND ${ringsForNobody} ORDER BY a.no`.execute(
    tx,
  );
  if (alarms.length === 0) return;
  const onCall = await readOnCall(tx, orgId, work.now);
  const people = onCall.administrators.map((userId) => ({ userId, name: onCall.names.get(userId) ?? '' }));
  await addAudience(
    work,
    alarms.flatMap(({ no }) => people.map(({ userId }) => ({ alarmNo: no, userId }))),
  );
  const rows = await pagingIncidents(work, alarms);
  await enqueueNotices(
    work,
    alarms.flatMap(({ no }) => {
      const about = describeIncidents(rows.filter((row) => row.alarm_no === no));
      return about.total === 0 ? [] : noticesOf(onCall, { orgId, no }, about);
    }),
  );
  await ringFor(
    work,
    rows.map((row) => ({ row, people, detail: 'the loud alarm rings: those whom it had reached have left' })),
  );
}

async function pagingIncidents({ tx, now }: { tx: Tx; now: Date }, alarms: readonly { no: number }[]) {
  return selectIncidents(tx)
    .where(
      'incidents.id',
      'in',
      sql<string>`(SELECT i.id FROM incidents i
        WHERE i.alarm_no = ANY(${numbers(alarms.map(({ no }) => no))}) AND ${isPaging(now)})`,
    )
    .orderBy('incidents.id')
    .execute();
}

function noticesOf(
  { administrators }: OnCall,
  { orgId, no }: { orgId: string; no: number },
  about: ReturnType<typeof describeIncidents>,
): NewNotice[] {
  return administrators.flatMap((userId): NewNotice[] => {
    const notice = { orgId, userId, alarmNo: no, kind: 'alarm' as const };
    return [
      { ...notice, channel: 'push', data: { ...about, stage: 'start' } },
      { ...notice, channel: 'mail', data: { ...about, stage: 'mail' } },
    ];
  });
}
