// Writes the incidents of an export: timelines, notes and post-mortems.
import { sql } from 'kysely';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';
import * as into from './columns.ts';
import type { DataOf, LineKind } from './format.ts';
import { type Columns, insertRows } from './insert.ts';
import { within } from './read-lines.ts';

/** The part of the file that has been loaded already. */
type Loaded = {
  work: Work;
  orgId: string;
  userIds: ReadonlyMap<string, string>;
  projects: ReadonlySet<string>;
  monitorNos: ReadonlyMap<string, number>;
  incidents: Set<string>;
};
type LinesOf<K extends LineKind> = readonly { number: number; data: DataOf<K> }[];

const NOTE: Columns = {
  id: 'text',
  incident_id: 'text',
  kind: 'text',
  visibility: 'text',
  body: 'text',
  author_name: 'text',
  author_user_id: 'text',
  created_at: 'timestamptz',
};

const POSTMORTEM: Columns = {
  incident_id: 'text',
  title: 'text',
  summary: 'text',
  impact: 'text',
  root_cause: 'text',
  contributing_factors: 'text',
  what_went_well: 'text',
  what_went_wrong: 'text',
  lessons: 'text',
  status: 'text',
  visibility: 'text',
  published_at: 'timestamptz',
  updated_at: 'timestamptz',
};

/** A member with an account here, whose name goes from what was imported when they delete their account. */
const userOf = ({ userIds }: Pick<Loaded, 'userIds'>, email: string | null | undefined) =>
  (email == null ? null : userIds.get(email.toLowerCase())) ?? null;

export async function loadIncidents(loaded: Loaded, lines: LinesOf<'incident'>): Promise<void> {
  const { work, orgId, projects, monitorNos, incidents } = loaded;
  const rows = lines.map(({ number, data }) => {
    if (data.monitor_id !== '') within(number, monitorNos, data.monitor_id, 'monitor_id');
    if (data.project_id !== null) within(number, projects, data.project_id, 'project_id');
    return {
      ...data,
      org_id: orgId,
      monitor_no: monitorNos.get(data.monitor_id) ?? null,
      acknowledged_by_user_id: userOf(loaded, data.acknowledged_by_email),
      commander_user_id: userOf(loaded, data.commander_email),
      alarm_held_by_user_id: userOf(loaded, data.alarm_held_by_email),
      alarm_held_by_hand: data.alarm_held_by_hand ?? false,
    };
  });
  await insertRows(work.tx, 'incidents', into.INCIDENT, rows);
  for (const { id } of rows) incidents.add(id);
  const shown = rows.filter(({ origin, status }) => origin === 'manual' && status === 'open');
  // As src/monitors/manual-incidents.ts keeps it; the status that goes with it came with the monitor.
  await sql`UPDATE monitor_state SET manual_incident = true
    WHERE monitor_no = ANY(${pgArray(shown.flatMap(({ monitor_no: no }) => no ?? []))}::int[])`.execute(
    work.tx,
  );
}

export async function loadTimeline(loaded: Loaded, lines: LinesOf<'incident_timeline'>): Promise<void> {
  for (const { number, data } of lines) within(number, loaded.incidents, data.incident_id, 'incident_id');
  const rows = dataOf(lines).map((data) => ({ ...data, actor_user_id: userOf(loaded, data.actor_email) }));
  await insertRows(loaded.work.tx, 'incident_timeline', into.TIMELINE, rows);
}

export async function loadNotes(loaded: Loaded, lines: LinesOf<'incident_note'>): Promise<void> {
  for (const { number, data } of lines) within(number, loaded.incidents, data.incident_id, 'incident_id');
  const rows = dataOf(lines).map((data) => ({ ...data, author_user_id: userOf(loaded, data.author_email) }));
  await insertRows(loaded.work.tx, 'incident_notes', NOTE, rows);
}

export async function loadPostmortems(
  { work, incidents }: Loaded,
  lines: LinesOf<'postmortem'>,
): Promise<void> {
  for (const { number, data } of lines) within(number, incidents, data.incident_id, 'incident_id');
  await insertRows(work.tx, 'postmortems', POSTMORTEM, dataOf(lines));
}

const dataOf = <D>(lines: readonly { data: D }[]): D[] => lines.map(({ data }) => data);
