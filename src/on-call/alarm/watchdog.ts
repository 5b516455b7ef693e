// Nothing that should ring stays silent: what a clock that was set back, a lost job or a race left behind is found, and
// rings late instead of never.
import { sql } from 'kysely';
import { forgetAlarms } from '#src/incidents/alarm-no.ts';
import { isAwake } from '#src/incidents/awake.ts';
import { selectIncidents } from '#src/incidents/queries.ts';
import { lockOrganization } from '#src/organizations/lock.ts';
import type { Log } from '#src/platform/log.ts';
import { makeResting, noteSetAside, workApart } from '#src/platform/set-aside.ts';
import { type Database, runWork, SYSTEM, type Tx, type Work } from '#src/platform/work.ts';
import { enqueueNotices, type NewNotice } from '#src/user-notifications/enqueue.ts';
import { type OnCall, readOnCall } from '../on-call-config.ts';
import { numbers, readStandings } from './alarm-state.ts';
import { addAudience, ring } from './loud-alarm.ts';
import { forEachOrganization, goOn } from './maintenance-pause.ts';
import { aboutThese } from './notice-content.ts';

/** Ordinary work has had its time by then. */
const GRACE_MS = 10_000;
/** What a hold keeps back is freed by its own job, which the audit adds again. */
const HOLD_GRACE_MS = 60_000;
/** So many a round; the next one is ten seconds later. */
const MOST = 500;

/** The alarm of incident `i` has not started, or does not ring. */
const isSilent = sql<boolean>`(i.alarm_no IS NULL OR EXISTS (
  SELECT FROM alarms a WHERE a.no = i.alarm_no AND (a.ended_at IS NOT NULL OR a.paused_at IS NOT NULL)))`;

/** Alarm `a` runs, and rings for nobody who is a member. */
const ringsForNobody = sql<boolean>`(a.ended_at IS NULL AND a.paused_at IS NULL AND NOT EXISTS (
  SELECT FROM alarm_audience aud JOIN members m ON m.org_id = a.org_id AND m.user_id = aud.user_id
  WHERE aud.alarm_no = a.no))`;

/** What cannot be started rests, so that it takes no place of others among those of a round. */
const resting = makeResting<string>();

/**
 * Finds incidents that should ring and do not, and alarms whose people have all left, and has them ring; answers how many
 * it found. One unit of work an organization, and what fails in it is worked apart: it keeps no other silent.
 */
export async function rescueAlarms(db: Database, now: Date, log: Log): Promise<number> {
  const set = resting.at(now.getTime());
  const [silent, unheard] = await Promise.all([
    silentIncidents(db, now, set),
    unheardAlarms(db, now).then((all) => all.filter(({ no, orgId }) => !set.has(`${orgId} ${no}`))),
  ]);
  const inWork = (act: (work: Work) => Promise<void>) => runWork(db, now, SYSTEM, act);
  await each(
    silent,
    ({ id }) => id,
    { ids: 'incident_id', now, log },
    (some) =>
      inWork((work) =>
        ringAtLast(
          work,
          some.map(({ id }) => id),
        ),
      ),
  );
  await each(
    unheard,
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
  return silent.length + unheard.length;
}

/** By organization; who fails alone rests. */
async function each<Found extends { orgId: string }>(
  all: readonly Found[],
  idOf: (found: Found) => string,
  { ids, now, log }: { ids: string; now: Date; log: Log },
  act: (some: readonly Found[]) => Promise<void>,
): Promise<void> {
  for (const [orgId, some] of Map.groupBy(all, (found) => found.orgId))
    for (const { item, error } of await workApart(some, act)) {
      resting.failed(idOf(item), now.getTime());
      noteSetAside(log, 'alarm_start', { org_id: orgId, [ids]: idOf(item) }, error);
    }
}

type Silent = { id: string; orgId: string };

async function silentIncidents(db: Database, now: Date, set: ReadonlySet<string>): Promise<Silent[]> {
  const before = new Date(now.getTime() - GRACE_MS);
  const { rows } = await sql<Silent>`
    SELECT i.id, i.org_id AS "orgId" FROM incidents i
    WHERE ${isAwake(now)} AND ${isAwake(before)} AND ${isSilent} AND i.created_at < ${before}
      AND i.id <> ALL(${[...set]}::text[])
      AND (i.alarm_held_until IS NULL OR i.alarm_held_until < ${new Date(now.getTime() - HOLD_GRACE_MS)})
    ORDER BY i.org_id, i.id LIMIT ${MOST}`.execute(db);
  return rows;
}

/** Looked at once more under the locks: somebody may have been faster. */
async function ringAtLast(work: Work, ids: readonly string[]): Promise<void> {
  const those = sql<boolean>`i.id = ANY(${[...ids]}::text[])`;
  await forEachOrganization(work, those, async (orgId, rows) => {
    const { rows: silent } = await sql<{ id: string; isOver: boolean }>`
      SELECT i.id, EXISTS (SELECT FROM alarms a WHERE a.no = i.alarm_no AND a.ended_at IS NOT NULL) AS "isOver"
      FROM incidents i WHERE ${those} AND i.org_id = ${orgId} AND ${isAwake(work.now)} AND ${isSilent}`.execute(
      work.tx,
    );
    await forgetAlarms(
      work,
      silent.filter(({ isOver }) => isOver).map(({ id }) => id),
    );
    const standings = await readStandings(
      work,
      silent.map(({ id }) => id),
    );
    await goOn(
      work,
      orgId,
      rows.filter(({ id }) => standings.has(id)),
      standings,
    );
  });
}

type Unheard = { no: number; orgId: string };

/** Where nobody is left who could take their place there is nothing to do. */
async function unheardAlarms(db: Database, now: Date): Promise<Unheard[]> {
  const { rows } = await sql<Unheard>`
    SELECT a.no, a.org_id AS "orgId" FROM alarms a
    WHERE ${ringsForNobody} AND a.started_at < ${new Date(now.getTime() - GRACE_MS)}
      AND EXISTS (SELECT FROM members m WHERE m.org_id = a.org_id AND m.role IN ('owner', 'admin'))
      AND EXISTS (SELECT FROM incidents i WHERE i.alarm_no = a.no AND ${isAwake(now)})
    ORDER BY a.org_id, a.no LIMIT ${MOST}`.execute(db);
  return rows;
}

/** Owners and admins take the place of people who have left: they ring, and are told what those were told by. */
async function ringForAdministrators(work: Work, orgId: string, alarmNos: readonly number[]): Promise<void> {
  const { tx } = work;
  if (!(await lockOrganization(tx, orgId))) return;
  const { rows: alarms } = await sql<{ no: number; mailed: boolean }>`
    SELECT a.no, EXISTS (SELECT FROM alarm_steps s WHERE s.alarm_no = a.no AND s.step = 'mail' AND s.done_at IS NOT NULL)
      AS mailed
    FROM alarms a WHERE a.no = ANY(${numbers(alarmNos)}) AND ${ringsForNobody} ORDER BY a.no`.execute(tx);
  if (alarms.length === 0) return;
  const onCall = await readOnCall(tx, orgId);
  const people = onCall.administrators.map((userId) => ({ userId, name: onCall.names.get(userId) ?? '' }));
  await addAudience(
    work,
    alarms.flatMap(({ no }) => people.map(({ userId }) => ({ alarmNo: no, userId }))),
  );
  const rows = await awakeOf(work, alarms);
  await enqueueNotices(
    work,
    alarms.flatMap(({ no, mailed }) => {
      const about = aboutThese(rows.filter((row) => row.alarm_no === no));
      return about.total === 0 ? [] : noticesOf(onCall, { orgId, no, mailed }, about);
    }),
  );
  await ring(
    work,
    rows.map((row) => ({ row, people, detail: 'the loud alarm rings: those whom it had reached have left' })),
  );
}

async function awakeOf({ tx, now }: { tx: Tx; now: Date }, alarms: readonly { no: number }[]) {
  return selectIncidents(tx)
    .where(
      'incidents.id',
      'in',
      sql<string>`(SELECT i.id FROM incidents i
        WHERE i.alarm_no = ANY(${numbers(alarms.map(({ no }) => no))}) AND ${isAwake(now)})`,
    )
    .orderBy('incidents.id')
    .execute();
}

function noticesOf(
  { administrators }: OnCall,
  { orgId, no, mailed }: { orgId: string; no: number; mailed: boolean },
  about: ReturnType<typeof aboutThese>,
): NewNotice[] {
  return administrators.flatMap((userId) => {
    const notice = { orgId, userId, alarmNo: no, kind: 'alarm' as const };
    const push: NewNotice = { ...notice, channel: 'push', data: { ...about, stage: 'start' } };
    return mailed ? [push, { ...notice, channel: 'mail', data: { ...about, stage: 'mail' } }] : [push];
  });
}
