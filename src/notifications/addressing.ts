// The targets of an organization's events, and the names that event bodies contain.
import { sql } from 'kysely';
import type { ChannelName, PageLanguage } from '../domain/names.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';
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
};

type Named = { id: string; name: string; slug: string };

export type Addressing = {
  organization: EventBody['organization'];
  projects: ReadonlyMap<string, Named>;
  monitors: ReadonlyMap<number, { id: string; name: string; type: string }>;
  /** Active targets of every family, by id. */
  targets: readonly Target[];
};

type Row = {
  organization: Named | null;
  projects: Named[];
  monitors: { no: number; id: string; name: string; type: string }[];
  targets: Target[];
};

/** Reads both in one statement; null for a deleted organization. `about` lists the events' projects and monitors. */
export async function readAddressing(
  { tx }: Work,
  orgId: string,
  about: readonly { projectId: string | null; monitorNo: number | null }[],
): Promise<Addressing | null> {
  const projectIds = new Set(about.flatMap(({ projectId }) => projectId ?? []));
  const monitorNos = new Set(about.flatMap(({ monitorNo }) => monitorNo ?? []));
  const { rows } = await sql<Row>`
    SELECT
      (SELECT json_build_object('id', id, 'name', name, 'slug', slug) FROM organizations WHERE id = ${orgId})
        AS organization,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'slug', slug)), '[]') FROM projects
        WHERE id = ANY(${[...projectIds]}::text[])) AS projects,
      (SELECT coalesce(json_agg(json_build_object('no', no, 'id', id, 'name', name, 'type', type)), '[]') FROM monitors
        WHERE no = ANY(${pgArray([...monitorNos])}::int[])) AS monitors,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'kind', kind, 'events', events, 'url', url,
          'secretSealed', secret_sealed, 'failing', failing_since IS NOT NULL, 'slow', slow, 'language', (SELECT language FROM organizations WHERE id = ${orgId})) ORDER BY id), '[]')
        FROM webhook_targets WHERE org_id = ${orgId} AND active) AS targets`.execute(tx);
  const [{ organization, projects, monitors, targets } = {} as Partial<Row>] = rows;
  if (!organization) return null;
  return {
    organization,
    projects: new Map((projects ?? []).map((row) => [row.id, row])),
    monitors: new Map((monitors ?? []).map(({ no, ...monitor }) => [no, monitor])),
    targets: targets ?? [],
  };
}
