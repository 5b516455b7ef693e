// The targets of an organization's events, which of them each incident matches, and the names that event bodies contain.
import { type RawBuilder, sql } from 'kysely';
import type { ChannelName, PageLanguage } from '../domain/names.ts';
import type { SeverityRank } from '../domain/severity-rank.ts';
import { isConcerned, type TargetFilter, takesEverything } from '../domain/target-filter.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { sendUnawaited, type Work } from '../platform/work.ts';
import type { EventBody } from './event-body.ts';

export type Target = {
  id: string;
  name: string;
  kind: ChannelName;
  events: string[];
  url: string;
  secretSealed: string | null;
  /** Its last attempt failed, so a delivery may be waiting for a retry. */
  failing: boolean;
  slow: boolean;
  /** Of its organization. */
  language: PageLanguage;
} & TargetFilter;

type Named = { id: string; name: string; slug: string };

export type RoutingData = {
  organization: EventBody['organization'];
  projects: ReadonlyMap<string, Named>;
  monitors: ReadonlyMap<number, { id: string; name: string; type: string }>;
  /** Active targets of every family, by id. */
  targets: readonly Target[];
  /** The organization has a status page: else no page has to be looked for. */
  hasPages: boolean;
  /** Whether a target receives an incident or a window: decided once (docs/rules/notifications.md#routing). */
  matches: (targetId: string, aboutId: string | undefined) => boolean;
};

/** The subject of an event. */
export type Subject = {
  projectId: string | null;
  monitorNo: number | null;
  /** An incident or a window that filters of targets apply to; null: they do not. */
  filtered: {
    id: string;
    severityRank: SeverityRank | null;
    monitorNos: readonly number[];
    /** An incident that opens now. */
    opening?: boolean;
  } | null;
};

type Row = {
  organization: Named | null;
  projects: Named[];
  monitors: { no: number; id: string; name: string; type: string; projectId: string; tags: string[] }[];
  targets: (Target & { createdMs: number })[];
  decisions: MatchDecision[];
  ended: { id: string; ms: number }[];
  hasPages: boolean;
};

type MatchDecision = { targetId: string; aboutId: string; concerned: boolean };

/**
 * Reads all of it in one statement; null for a deleted organization. Decides which targets receive what these events are about,
 * where that was not decided before. The organization is locked, except for windows.
 */
export async function readRoutingData(
  work: Work,
  orgId: string,
  about: readonly Subject[],
): Promise<RoutingData | null> {
  const projectIds = new Set(about.flatMap(({ projectId }) => projectId ?? []));
  const monitorNos = new Set(
    about.flatMap(({ monitorNo, filtered }) => [
      ...(monitorNo === null ? [] : [monitorNo]),
      ...(filtered?.monitorNos ?? []),
    ]),
  );
  const filtered = about.flatMap((subject) => subject.filtered ?? []);
  const aboutIds = new Set(filtered.map(({ id }) => id));
  const opening = new Set(filtered.flatMap(({ id, opening }) => (opening ? id : [])));
  const earlierIds = [...aboutIds].filter((id) => !opening.has(id));
  const { rows } = await sql<Row>`
    SELECT
      (SELECT json_build_object('id', id, 'name', name, 'slug', slug) FROM organizations WHERE id = ${orgId})
        AS organization,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'slug', slug)), '[]') FROM projects
        WHERE id = ANY(${[...projectIds]}::text[])) AS projects,
      (SELECT coalesce(json_agg(json_build_object('no', no, 'id', id, 'name', name, 'type', type, 'projectId', project_id,
          'tags', tags)), '[]') FROM monitors
        WHERE no = ANY(${pgArray([...monitorNos])}::int[])) AS monitors,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'kind', kind, 'events', events, 'url', url,
          'secretSealed', secret_sealed, 'failing', failing_since IS NOT NULL, 'slow', slow, 'projectIds', project_ids, 'tags', tags, 'minSeverity', min_severity,
          'createdMs', extract(epoch FROM created_at) * 1000, 'language', (SELECT language FROM organizations WHERE id = ${orgId})) ORDER BY id), '[]')
        FROM webhook_targets WHERE org_id = ${orgId} AND active) AS targets,
      (SELECT coalesce(json_agg(json_build_object('targetId', target_id, 'aboutId', about_id, 'concerned', concerned)), '[]')
        FROM target_concerns WHERE org_id = ${orgId} AND about_id = ANY(${[...aboutIds]}::text[])) AS decisions,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'ms', extract(epoch FROM resolved_at) * 1000)), '[]')
        FROM incidents WHERE id = ANY(${earlierIds}::text[]) AND resolved_at IS NOT NULL) AS ended,
      EXISTS (SELECT FROM status_pages WHERE org_id = ${orgId}) AS "hasPages"`.execute(work.tx);
  const [
    {
      organization,
      projects,
      monitors = [],
      targets = [],
      decisions = [],
      ended = [],
      hasPages = true,
    } = {} as Partial<Row>,
  ] = rows;
  if (!organization) return null;
  return {
    organization,
    projects: new Map((projects ?? []).map((row) => [row.id, row])),
    monitors: new Map(monitors.map(({ no, id, name, type }) => [no, { id, name, type }])),
    targets,
    hasPages,
    matches: decideMatches(work, orgId, about, { targets, monitors, decisions, ended }),
  };
}

/**
 * Decides and stores which targets receive what was not decided before, and returns how to look it up. A filter applies to what
 * begins under it: an incident that had ended by then is decided by whether the target existed.
 */
function decideMatches(
  work: Work,
  orgId: string,
  about: readonly Subject[],
  { targets, monitors, decisions, ended }: Pick<Row, 'targets' | 'monitors' | 'decisions' | 'ended'>,
): RoutingData['matches'] {
  const known = new Map(decisions.map((row) => [keyOf(row.targetId, row.aboutId), row.concerned]));
  const narrowed = targets.filter((target) => !takesEverything(target));
  const monitorOf = new Map(monitors.map((monitor) => [monitor.no, monitor]));
  const endOf = new Map(ended.map(({ id, ms }) => [id, ms]));
  const added: MatchDecision[] = [];
  for (const { projectId, filtered } of narrowed.length === 0 ? [] : about) {
    if (filtered === null) continue;
    const own = filtered.monitorNos.flatMap((no) => monitorOf.get(no) ?? []);
    const traits = {
      projectIds: projectId === null ? own.map((monitor) => monitor.projectId) : [projectId],
      tags: own.flatMap(({ tags }) => tags),
      severityRank: filtered.severityRank,
    };
    const endedMs = endOf.get(filtered.id);
    for (const target of narrowed) {
      const key = keyOf(target.id, filtered.id);
      if (known.has(key)) continue;
      const concerned = endedMs === undefined ? isConcerned(target, traits) : target.createdMs <= endedMs;
      known.set(key, concerned);
      added.push({ targetId: target.id, aboutId: filtered.id, concerned });
    }
  }
  if (added.length > 0) sendUnawaited(work, storingConcerns(orgId, added));
  return (targetId, aboutId) => aboutId === undefined || (known.get(keyOf(targetId, aboutId)) ?? true);
}

const keyOf = (targetId: string, aboutId: string) => `${targetId}:${aboutId}`;

const storingConcerns = (orgId: string, added: readonly MatchDecision[]): RawBuilder<unknown> =>
  sql`
    INSERT INTO target_concerns (about_id, target_id, org_id, concerned)
    SELECT "aboutId", "targetId", ${orgId}, concerned
    FROM jsonb_to_recordset(${JSON.stringify(added)}::jsonb) AS x ("aboutId" text, "targetId" text, concerned boolean)
    ORDER BY 1, 2 ON CONFLICT DO NOTHING`;
