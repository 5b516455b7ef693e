// The subject of a report: an organization, or the monitors of one project, with one tag, or on one status page.
import { type RawBuilder, sql } from 'kysely';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import { normalizedTag } from '../platform/tags.ts';
import type { Database } from '../platform/work.ts';
import type { Report, ReportQuery } from './contract.ts';

export type Subject = Report['subject'] & {
  organizationName: string;
  /** The condition on monitors (`m`) of the report. */
  where: RawBuilder<unknown>;
};

type SubjectQuery = Pick<ReportQuery, 'project_id' | 'tag' | 'status_page_id'>;
const FILTERS = ['project_id', 'tag', 'status_page_id'] as const;

/** Refuses with 400, naming the parameter: two subjects, one of another organization, or one that the key may not see. */
export async function subjectOf(
  db: Database,
  orgId: string,
  asked: SubjectQuery,
  within: ResourceFilter,
): Promise<Subject> {
  const [first, second] = FILTERS.filter((name) => asked[name] !== undefined);
  if (second !== undefined)
    refuse('invalid_request', `${second} and ${first} exclude each other; leave one out.`, { field: second });
  const { project_id: projectId, tag, status_page_id: pageId } = asked;
  const { rows } = await sql<{ organization: string; project: string | null; page: string | null }>`
    SELECT o.name AS organization, (
      SELECT p.name FROM projects p WHERE p.id = ${projectId ?? ''} AND p.org_id = o.id AND ${mayName(within)}
    ) AS project, (
      SELECT s.name FROM status_pages s WHERE s.id = ${pageId ?? ''} AND s.org_id = o.id AND s.archived_at IS NULL
        AND ${within === null}
    ) AS page FROM organizations o WHERE o.id = ${orgId}`.execute(db);
  const { organization = '', project = null, page = null } = rows[0] ?? {};
  const named = (kind: Subject['kind'], id: string | null, name: string, where: RawBuilder<unknown>) => ({
    ...{ kind, id, name, where, organizationName: organization },
  });
  if (projectId !== undefined)
    return named('project', projectId, project ?? strange('project_id'), sql`m.project_id = ${projectId}`);
  if (pageId !== undefined)
    return named(
      'status_page',
      pageId,
      page ?? strange('status_page_id'),
      sql`EXISTS (SELECT FROM status_page_monitors s WHERE s.monitor_no = m.no AND s.status_page_id = ${pageId})`,
    );
  if (tag !== undefined) {
    const normalized = normalizedTag(tag);
    return named('tag', normalized, normalized, sql`${normalized} = ANY(m.tags)`);
  }
  return named('organization', null, organization, sql`true`);
}

/** A narrowed key sees the names of its projects and of its monitors' projects; it sees no status pages. */
const mayName = (within: ResourceFilter) =>
  within === null
    ? sql`true`
    : sql`(p.id = ANY(${within.projectIds}::text[]) OR EXISTS (
        SELECT FROM monitors m WHERE m.project_id = p.id AND m.id = ANY(${within.monitorIds}::text[])))`;

const strange = (field: string): never =>
  refuse(
    'invalid_request',
    `${field} is not one of this organization that you may see; choose one of its list.`,
    {
      field,
    },
  );
